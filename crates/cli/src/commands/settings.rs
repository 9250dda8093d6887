//! `settings`: every key, value, default and source; or set one.

use serde_json::json;

use super::CommandResult;
use crate::args::Global;
use crate::env;
use crate::failure::Failure;
use crate::hint;
use crate::ui::{Style, Ui, safe};

/// The host's own key: memdir keeps no value for it, only the yes to what a project's local file says (P5).
const DIRECTORY: &str = "autoMemoryDirectory";

fn approve(global: &Global, directory: &str, ui: &mut Ui) -> CommandResult {
    let memory = env::open(global)?;
    memory.place.approve(std::path::Path::new(directory)).map_err(|error| Failure::refused(error.to_string()))?;
    ui.say(format!("memory of this project is now in {}", safe(directory)));
    if ui.json { Ok(ui.print_json(&json!({ "approved": directory }))?) } else { Ok(()) }
}

pub(super) fn run(global: &Global, key: Option<&str>, value: Option<&str>, ui: &mut Ui) -> CommandResult {
    if let (Some(DIRECTORY), Some(value)) = (key, value) {
        return approve(global, value, ui);
    }
    if let (Some(key), Some(value)) = (key, value) {
        let file = env::set_setting(global, key, value)?;
        ui.say(format!("{key} = {value} in {}", file.display()));
    }
    let memory = env::open(global)?;
    let settings = &memory.settings;
    let mut entries: Vec<_> = settings.entries().collect();
    if let Some(key) = key {
        entries.retain(|entry| entry.key == key);
        if entries.is_empty() {
            let error = memdir::settings::SetError::unknown(key);
            return Err(Failure::refused(hint::about_setting(&error)));
        }
    }
    if ui.json {
        let warnings: Vec<String> = settings.warnings.iter().map(ToString::to_string).collect();
        return Ok(ui.print_json(&json!({ "settings": entries, "warnings": warnings }))?);
    }
    for entry in &entries {
        let changed = entry.value != entry.default;
        let shown = entry.value.to_string();
        let shown = if changed { ui.paint(Style::Bold, &shown) } else { shown };
        let note =
            if changed { format!("{} (default {})", entry.source, entry.default) } else { entry.source.to_string() };
        let line = format!("{:<26} {shown:<10} {}", entry.key, ui.paint(Style::Dim, &note));
        ui.line(line)?;
        if let Some(known) = memdir::settings::SettingKey::named(entry.key) {
            ui.line(format!("    {}", ui.paint(Style::Dim, known.doc)))?;
        }
    }
    for warning in &settings.warnings {
        ui.warn(warning.to_string());
    }
    Ok(())
}
