//! `team`: sharing memory.

mod choice;
mod sync;

pub(crate) use sync::pause;

use memdir::engine::Memory;
use memdir::team::bucket::BucketLayout;
use memdir::team::config::{Team, TeamSource};
use memdir::team::crypt::TeamKeys;
use serde_json::{Value, json};

use super::CommandResult;
use crate::args::{TeamAuthor, TeamCommand, TeamInit, TeamKey};
use crate::env;
use crate::failure::Failure;
use crate::ui::{Style, Ui, counted, safe};

pub(super) fn run(memory: &Memory, command: TeamCommand, ui: &mut Ui) -> CommandResult {
    match command {
        TeamCommand::Init(args) => init(memory, &args, ui),
        TeamCommand::Status => status(memory, ui),
        TeamCommand::Sync { name, dry_run } => sync::sync(memory, name.as_deref(), dry_run, ui),
        TeamCommand::Mute(args) => choice::mute(memory, &args, ui),
        TeamCommand::Unmute(args) => choice::unmute(memory, &args, ui),
        TeamCommand::Only(args) => choice::only(memory, &args, ui),
        TeamCommand::Trust { author, key, name } => choice::trust(memory, &TeamAuthor { author, name }, key, ui),
        TeamCommand::Allow { file } => allow(memory, &file, ui),
        TeamCommand::Key { command } => key(memory, command, ui),
        TeamCommand::Tidy { name, dry_run } => tidy(memory, name.as_deref(), dry_run, ui),
        TeamCommand::Leave { name } => {
            memory.teams().leave(&name)?;
            said(ui, &json!({ "left": name }), &format!("left {}; its memories stay here and there", safe(&name)))
        }
    }
}

fn said(ui: &mut Ui, document: &Value, words: &str) -> CommandResult {
    if ui.json {
        return Ok(ui.print_json(document)?);
    }
    Ok(ui.line(words)?)
}

fn init(memory: &Memory, args: &TeamInit, ui: &mut Ui) -> CommandResult {
    let source = match (&args.git, &args.store) {
        (Some(url), _) => TeamSource::Git { url: url.clone(), branch: args.branch.clone(), path: args.path.clone() },
        (None, url) => {
            let around = &memory.around;
            let endpoint = args
                .endpoint
                .as_deref()
                .or_else(|| around.var("AWS_ENDPOINT_URL_S3"))
                .or_else(|| around.var("AWS_ENDPOINT_URL"));
            let region = args
                .region
                .as_deref()
                .or_else(|| around.var("AWS_REGION"))
                .or_else(|| around.var("AWS_DEFAULT_REGION"));
            let place = (url.as_deref().unwrap_or_default(), endpoint, region.unwrap_or("us-east-1"));
            if !matches!(args.shards, 1 | 16 | 256) {
                return Err(Failure::refused("a bucket has 1, 16 or 256 heads"));
            }
            let layout = BucketLayout { format: 1, shards: args.shards, sealed: args.key.is_some() };
            let keys = args.key.iter().map(|file| around.below_cwd(file)).collect();
            memory.teams().lay_out_store(place, layout, keys, env::moment)?
        }
    };
    let mut team = Team::new(&args.name, source);
    team.read_only = args.read_only;
    team.parent = args.parent;
    memory.teams().add(team.clone())?;
    let document = json!({ "team": team.name, "source": team.source.shown(), "folder": team.folder() });
    let words = format!(
        "{} shares {} with {}. Nothing has moved yet: `memdir team sync` shows a plan first",
        team.name,
        team.folder(),
        safe(&team.source.shown())
    );
    said(ui, &document, &words)
}

fn key(memory: &Memory, command: Option<TeamKey>, ui: &mut Ui) -> CommandResult {
    match command {
        None => {
            let identity = memory.teams().identity()?;
            let document = json!({ "name": identity.name, "key": identity.public() });
            said(ui, &document, &format!("{}  {}", safe(&identity.name), identity.public()))
        }
        Some(TeamKey::New { file }) => {
            let file = memory.around.below_cwd(&file);
            if !memdir::store::fs::claim(&file)? {
                return Err(Failure::refused(format!("{} exists already; a key is not overwritten", file.display())));
            }
            let text =
                TeamKeys::new_file().ok_or_else(|| Failure::Fault("the system provides no random numbers".into()))?;
            memdir::store::fs::replace(&file, text.as_bytes(), memdir::store::fs::Durability::Synced)?;
            let public = text.lines().next().unwrap_or_default().trim_start_matches("# public key: ").to_owned();
            let words = format!(
                "{} holds the team's key. Give it to the members by a safe way; memdir sends it nowhere",
                file.display()
            );
            said(ui, &json!({ "file": file, "public": public }), &words)
        }
        Some(TeamKey::Add { file, name }) => {
            let file = memory.around.below_cwd(&file);
            let team = memory.teams().add_key(name.as_deref(), &file, env::moment)?;
            said(
                ui,
                &json!({ "team": team.name, "key": file }),
                &format!("{} is read and written with that key now", team.name),
            )
        }
        Some(TeamKey::Rotate { file, name }) => {
            let file = memory.around.below_cwd(&file);
            let team = memory.teams().rotate_key(name.as_deref(), &file, env::moment)?;
            let words = format!(
                "{} is encrypted with the new key now; the others run `memdir team key add` with it. The old one still \
                 opens old versions in the bucket, until `memdir team tidy` has removed them",
                team.name
            );
            said(ui, &json!({ "team": team.name, "key": file }), &words)
        }
    }
}

fn allow(memory: &Memory, file: &str, ui: &mut Ui) -> CommandResult {
    let team = memory.teams().allow_to_leave(file)?;
    said(ui, &json!({ "file": file, "team": team }), &format!("{} may leave as it is now, to {team}", safe(file)))
}

fn tidy(memory: &Memory, name: Option<&str>, dry_run: bool, ui: &mut Ui) -> CommandResult {
    let (team, tidied) = memory.teams().tidy(name, env::moment, dry_run)?;
    let megabytes = |bytes: u64| format!("{}.{} MB", bytes / 1_000_000, bytes / 100_000 % 10);
    let words = match tidied.wait_seconds {
        Some(seconds) => format!(
            "{} was tidied up less than four weeks ago; again in {}",
            team.name,
            counted(usize::try_from(seconds.div_ceil(86_400)).unwrap_or_default(), "day", "days")
        ),
        None => format!(
            "{}: {} {} ({}), {} stay ({})",
            team.name,
            counted(tidied.removed, "object", "objects"),
            if dry_run { "would go" } else { "removed" },
            megabytes(tidied.removed_bytes),
            tidied.kept,
            megabytes(tidied.kept_bytes)
        ),
    };
    said(ui, &json!({ "team": team.name, "dry_run": dry_run, "tidied": tidied }), &words)
}

fn status(memory: &Memory, ui: &mut Ui) -> CommandResult {
    let teams = memory.teams().rows()?;
    if ui.json {
        return Ok(ui.print_json(&json!({ "teams": teams }))?);
    }
    if teams.is_empty() {
        ui.say("This project shares with no team. `memdir team init --git URL` begins.");
    }
    for team in teams {
        let name = ui.paint(Style::Bold, &team.name);
        let kind = if team.read_only { "  read-only" } else { "" };
        ui.line(format!("{name}  {}  {}{kind}", team.folder, safe(&team.source)))?;
        let run = if team.gate.run { "would run" } else { "would not run" };
        ui.line(format!("  sync     {run} ({})", team.gate.reason))?;
        let last = &team.last;
        let time = last.time.map(|time| time.strftime("%Y-%m-%d %H:%M").to_string());
        match (time, &last.error) {
            (None, _) => ui.line("  last     never")?,
            (Some(time), None) => ui.line(format!("  last     {time}: {} out, {} in", last.pushed, last.pulled))?,
            (Some(time), Some(error)) => ui.line(format!("  last     {time}: {}", safe(error)))?,
        }
        for (word, list) in [("stays  ", &last.held_back), ("outside", &last.kept_out)] {
            for (file, why) in list {
                ui.line(format!("  {word}  {}  {}", safe(file), safe(why)))?;
            }
        }
        for (word, list) in [("muted  ", &team.muted), ("only   ", &team.only)] {
            for name in list {
                ui.line(format!("  {word}  {}", safe(name)))?;
            }
        }
    }
    Ok(())
}
