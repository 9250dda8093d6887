//! lines ROOT COUNTS OBJECT...: how often was each line below ROOT reached?
//!
//! Enters: programs built with `-C instrument-coverage`, and the folder with the counts that their processes left. Leaves:
//! one row a line of source, `file<TAB>line<TAB>times`. A counts file that its process did not finish is named on stderr
//! and left out. It decides nothing about which lines matter (run.py does).

use std::collections::{BTreeMap, HashMap};
use std::error::Error;
use std::path::{Path, PathBuf};

use llvm_profparser::coverage_mapping::read_object_file;
use llvm_profparser::instrumentation_profile::types::InstrumentationProfile;
use llvm_profparser::{Counter, CounterType, ExprKind, FunctionRecordV3, RegionKind};

/// Line and column where a piece of code begins, and where it ends.
type Piece = (usize, usize, usize, usize);

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<PathBuf> = std::env::args_os().skip(1).map(PathBuf::from).collect();
    let [root, folder, objects @ ..] = arguments.as_slice() else {
        return Err("lines ROOT COUNTS OBJECT...".into());
    };
    let profile = counted(folder)?;
    let version = profile.version().ok_or("no process has left any counts")?;
    let times: HashMap<u64, &[u64]> =
        profile.records().iter().filter_map(|one| Some((one.name_hash?, one.counts()))).collect();
    let mut files: BTreeMap<PathBuf, BTreeMap<Piece, u64>> = BTreeMap::new();
    for object in objects {
        let info = read_object_file(object, version)?;
        for function in &info.cov_fun {
            let paths = info.get_files_from_id(function.header.filenames_ref);
            let counts = times.get(&function.header.name_hash).copied().unwrap_or_default();
            let mut worked = Worked { function, counts, known: vec![None; function.expressions.len()] };
            for region in function.regions.iter().filter(|region| region.kind == RegionKind::Code) {
                let Some(path) = paths.get(region.file_id).filter(|path| path.starts_with(root)) else { continue };
                let at = &region.loc;
                let piece = (at.line_start, at.column_start, at.line_end, at.column_end);
                let reached = u64::try_from(worked.value(region.count)).unwrap_or(0);
                let known = files.entry(path.clone()).or_default().entry(piece).or_default();
                *known = known.saturating_add(reached);
            }
        }
    }
    for (path, pieces) in &files {
        for (line, reached) in lines_of(pieces) {
            println!("{}\t{line}\t{reached}", path.display());
        }
    }
    Ok(())
}

/// The counts of all processes together.
fn counted(folder: &Path) -> Result<InstrumentationProfile, Box<dyn Error>> {
    let mut all: Option<InstrumentationProfile> = None;
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        match llvm_profparser::parse(&path) {
            Ok(one) => match all.as_mut() {
                Some(all) => all.merge(&one),
                None => all = Some(one),
            },
            Err(error) => eprintln!("left out: {}: {error}", path.display()),
        }
    }
    all.ok_or_else(|| format!("{} has no counts", folder.display()).into())
}

/// The values of a function's expressions, each worked out once.
struct Worked<'a> {
    function: &'a FunctionRecordV3,
    counts: &'a [u64],
    known: Vec<Option<i64>>,
}

impl Worked<'_> {
    /// A counter's value: counted, or worked out from others.
    fn value(&mut self, counter: Counter) -> i64 {
        let at = counter.id as usize;
        match counter.kind {
            CounterType::Zero => 0,
            CounterType::ProfileInstrumentation => self.counts.get(at).map_or(0, |count| *count as i64),
            CounterType::Expression(_) => {
                let Some(expression) = self.function.expressions.get(at).copied() else { return 0 };
                if let Some(known) = self.known[at] {
                    return known;
                }
                // A damaged expression that stands on itself ends here.
                self.known[at] = Some(0);
                let (left, right) = (self.value(expression.lhs), self.value(expression.rhs));
                let value = match expression.kind {
                    ExprKind::Add => left.saturating_add(right),
                    ExprKind::Subtract => left.saturating_sub(right),
                };
                self.known[at] = Some(value);
                value
            }
        }
    }
}

/// How often each line was reached: as often as what begins on it, or as the smallest piece that goes on there (the rule of
/// llvm-cov).
fn lines_of(pieces: &BTreeMap<Piece, u64>) -> BTreeMap<usize, u64> {
    let mut around: BTreeMap<usize, (usize, u64)> = BTreeMap::new();
    let mut lines: BTreeMap<usize, u64> = BTreeMap::new();
    for (&(first, _, last, _), &reached) in pieces {
        let most = lines.entry(first).or_default();
        *most = reached.max(*most);
        for line in first + 1..=last {
            let smallest = around.entry(line).or_insert((last - first, reached));
            if last - first < smallest.0 {
                *smallest = (last - first, reached);
            }
        }
    }
    for (line, (_, reached)) in around {
        let most = lines.entry(line).or_default();
        *most = reached.max(*most);
    }
    lines
}
