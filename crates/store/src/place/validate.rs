//! Which configured paths may be a memory directory (P6).
//!
//! Enters: a path as somebody wrote it, and the home directory. Leaves: an absolute, lexically
//! clean path at least two levels deep, or the rule it broke. Never touches the disk, so a `..`
//! is resolved by name: what is accepted is exactly what is used.

use std::path::{Component, Path, PathBuf};

/// The rule of P6 that a path broke.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum InvalidPath {
    /// Nothing at all.
    #[error("the path is empty")]
    Empty,
    /// A NUL byte.
    #[error("the path holds a NUL byte")]
    Nul,
    /// `\\server\share`, `//server/share`, `\\?\…`.
    #[error("the path is on a network share or in a device namespace")]
    Unc,
    /// `C:`, `C:\`.
    #[error("the path is the root of a drive")]
    DriveRoot,
    /// Not absolute.
    #[error("the path is relative")]
    Relative,
    /// `/`.
    #[error("the path is the root of the file system")]
    Root,
    /// `/x`.
    #[error("the path is only one level below the root")]
    NearRoot,
    /// `~`, or home by its full name.
    #[error("the path is the home directory itself")]
    Home,
    /// `~/..`.
    #[error("the path leaves the home directory by `..`")]
    LeavesHome,
    /// `~/x` where no home is known.
    #[error("the path starts at the home directory, and no home directory is known")]
    NoHome,
}

impl InvalidPath {
    /// Stable and kebab-case, for JSON.
    pub const fn id(self) -> &'static str {
        match self {
            InvalidPath::Empty => "empty",
            InvalidPath::Nul => "nul",
            InvalidPath::Unc => "unc",
            InvalidPath::DriveRoot => "drive-root",
            InvalidPath::Relative => "relative",
            InvalidPath::Root => "root",
            InvalidPath::NearRoot => "near-root",
            InvalidPath::Home => "home",
            InvalidPath::LeavesHome => "leaves-home",
            InvalidPath::NoHome => "no-home",
        }
    }
}

/// What a path may start with.
#[derive(Clone, Copy, Debug)]
pub(super) enum PathStart<'a> {
    /// Only the root: variables.
    Absolute,
    /// The root or `~/`: settings.
    Tilde,
    /// The root, `~/`, or this directory: `--memory-dir`.
    Below(&'a Path),
}

/// Accepts a path as a memory directory, or says which rule it broke.
pub(super) fn validate(given: &Path, start: PathStart<'_>, home: Option<&Path>) -> Result<PathBuf, InvalidPath> {
    let bytes = given.as_os_str().as_encoded_bytes();
    let slash = |at: usize| matches!(bytes.get(at), Some(b'/' | b'\\'));
    if bytes.is_empty() {
        return Err(InvalidPath::Empty);
    }
    if bytes.contains(&0) {
        return Err(InvalidPath::Nul);
    }
    if slash(0) && slash(1) {
        return Err(InvalidPath::Unc);
    }
    if is_drive_root(bytes) {
        return Err(InvalidPath::DriveRoot);
    }
    let home = home.map(clean);
    let below_home = if matches!(start, PathStart::Absolute) { None } else { given.strip_prefix("~").ok() };
    let path = match (below_home, start) {
        (Some(rest), _) => clean_below(home.as_deref().ok_or(InvalidPath::NoHome)?, rest)?,
        (None, PathStart::Below(base)) => clean(&base.join(given)),
        (None, _) => clean(given),
    };
    if !path.is_absolute() {
        return Err(InvalidPath::Relative);
    }
    if home.as_ref() == Some(&path) {
        return Err(InvalidPath::Home);
    }
    match depth(&path) {
        0 => Err(InvalidPath::Root),
        1 => Err(InvalidPath::NearRoot),
        _ => Ok(path),
    }
}

/// The path with `.`, `..` and doubled or trailing slashes taken out by name; a `..` at the root
/// stays at the root.
pub(super) fn clean(path: &Path) -> PathBuf {
    let mut kept: Vec<Component<'_>> = Vec::new();
    for part in path.components() {
        match (part, kept.last()) {
            (Component::CurDir, _) | (Component::ParentDir, Some(Component::RootDir)) => {}
            (Component::ParentDir, Some(Component::Normal(_))) => {
                kept.pop();
            }
            // A leading `..` of a relative path is kept: the caller refuses relative paths.
            (part, _) => kept.push(part),
        }
    }
    kept.iter().collect()
}

/// `~/rest`, refused as soon as it steps above home, even if it would come back.
fn clean_below(home: &Path, rest: &Path) -> Result<PathBuf, InvalidPath> {
    let mut inside: Vec<&std::ffi::OsStr> = Vec::new();
    for part in rest.components() {
        match part {
            Component::Normal(name) => inside.push(name),
            Component::ParentDir => inside.pop().map(drop).ok_or(InvalidPath::LeavesHome)?,
            Component::CurDir => {}
            Component::RootDir | Component::Prefix(_) => return Err(InvalidPath::LeavesHome),
        }
    }
    if inside.is_empty() { Err(InvalidPath::Home) } else { Ok(home.join(inside.iter().collect::<PathBuf>())) }
}

fn depth(path: &Path) -> usize {
    path.components().filter(|part| matches!(part, Component::Normal(_))).count()
}

/// `C:` and `C:\` on every platform: settings files travel between machines.
fn is_drive_root(bytes: &[u8]) -> bool {
    match bytes {
        [letter, b':', rest @ ..] => {
            letter.is_ascii_alphabetic() && rest.iter().all(|byte| matches!(byte, b'/' | b'\\' | b'.'))
        }
        _ => false,
    }
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const HOME: &str = "/home/me";

    fn check(given: &str, start: PathStart<'_>) -> Result<String, InvalidPath> {
        validate(Path::new(given), start, Some(Path::new(HOME))).map(|path| path.to_string_lossy().into_owned())
    }

    #[test]
    fn p6_table_of_settings() {
        use InvalidPath::{DriveRoot, Empty, Home, LeavesHome, NearRoot, Nul, Relative, Root, Unc};
        for (given, want) in [
            ("", Err(Empty)),
            ("mem", Err(Relative)),
            ("./mem/x", Err(Relative)),
            ("../mem/x", Err(Relative)),
            ("~me/mem/x", Err(Relative)),
            ("~\\mem", Err(Relative)),
            ("/", Err(Root)),
            ("/.", Err(Root)),
            ("/a/..", Err(Root)),
            ("/../..", Err(Root)),
            ("/etc", Err(NearRoot)),
            ("/etc/", Err(NearRoot)),
            ("/a/../etc", Err(NearRoot)),
            ("/a/./../etc/.", Err(NearRoot)),
            ("C:\\", Err(DriveRoot)),
            ("c:/", Err(DriveRoot)),
            ("C:", Err(DriveRoot)),
            ("C:\\mem\\x", Err(Relative)),
            ("\\\\srv\\share\\m", Err(Unc)),
            ("//srv/share/m", Err(Unc)),
            ("/\\srv/share/m", Err(Unc)),
            ("\\\\?\\C:\\m\\x", Err(Unc)),
            ("/a/b\0c", Err(Nul)),
            ("~/a\0/b", Err(Nul)),
            ("~", Err(Home)),
            ("~/", Err(Home)),
            ("~/.", Err(Home)),
            ("~/a/..", Err(Home)),
            ("~//", Err(Home)),
            ("/home/me", Err(Home)),
            ("/home/you/../me/", Err(Home)),
            ("~/..", Err(LeavesHome)),
            ("~/../you/mem", Err(LeavesHome)),
            ("~/../me/mem", Err(LeavesHome)),
            ("~/a/../../x/y", Err(LeavesHome)),
            ("~/mem", Ok("/home/me/mem")),
            ("~/a/../mem/", Ok("/home/me/mem")),
            ("/data/mem", Ok("/data/mem")),
            ("/data//x/../mem/", Ok("/data/mem")),
            ("/data/mem ", Ok("/data/mem ")),
        ] {
            assert_eq!(check(given, PathStart::Tilde), want.map(str::to_owned), "{given:?}");
        }
    }

    #[test]
    fn p6_a_variable_does_not_expand_the_tilde() {
        assert_eq!(check("~/mem", PathStart::Absolute), Err(InvalidPath::Relative));
        assert_eq!(check("~", PathStart::Absolute), Err(InvalidPath::Relative));
        assert_eq!(check("/home/me", PathStart::Absolute), Err(InvalidPath::Home));
    }

    #[test]
    fn p6_the_flag_may_be_relative_and_keeps_the_other_rules() {
        let below = |given| check(given, PathStart::Below(Path::new("/w/app")));
        assert_eq!(below("mem").as_deref(), Ok("/w/app/mem"));
        assert_eq!(below(".").as_deref(), Ok("/w/app"));
        assert_eq!(below("../mem").as_deref(), Ok("/w/mem"));
        assert_eq!(below("~/mem").as_deref(), Ok("/home/me/mem"));
        for (given, want) in [
            ("../../etc", InvalidPath::NearRoot),
            ("../../..", InvalidPath::Root),
            ("~", InvalidPath::Home),
            ("~/..", InvalidPath::LeavesHome),
            ("../../home/me", InvalidPath::Home),
            ("a\0b", InvalidPath::Nul),
            ("//srv/x", InvalidPath::Unc),
            ("D:\\", InvalidPath::DriveRoot),
            ("", InvalidPath::Empty),
        ] {
            assert_eq!(below(given), Err(want), "{given:?}");
        }
    }

    #[test]
    fn p6_without_a_home_the_tilde_is_refused() {
        assert_eq!(validate(Path::new("~/m"), PathStart::Tilde, None), Err(InvalidPath::NoHome));
        assert!(validate(Path::new("/a/b"), PathStart::Tilde, None).is_ok());
        // A home at the root does not make a place one level below it good.
        assert_eq!(validate(Path::new("~/m"), PathStart::Tilde, Some(Path::new("/"))), Err(InvalidPath::NearRoot));
    }

    proptest! {
        #[test]
        fn p6_what_is_accepted_is_absolute_clean_and_deep(
            given in "\\PC{0,60}|~?(/?(\\.|\\.\\.|[a-z]{1,3}|\\\\|C:|\u{0}|~)){0,9}/?",
            relative in any::<bool>(),
        ) {
            let start = if relative { PathStart::Below(Path::new("/w/app")) } else { PathStart::Tilde };
            if let Ok(path) = validate(Path::new(&given), start, Some(Path::new(HOME))) {
                prop_assert!(path.is_absolute());
                prop_assert!(depth(&path) >= 2, "{}", path.display());
                prop_assert_eq!(&clean(&path), &path);
                prop_assert_ne!(path.as_path(), Path::new(HOME));
                prop_assert!(!given.contains('\0') && !path.components().any(|p| p == Component::ParentDir));
                if given.starts_with("~/") {
                    prop_assert!(path.starts_with(HOME));
                }
            }
        }
    }
}

#[cfg(test)]
#[cfg(windows)]
mod tests {
    use super::*;

    fn check(given: &str) -> Result<String, InvalidPath> {
        let home = Path::new(r"C:\Users\me");
        validate(Path::new(given), PathStart::Tilde, Some(home)).map(|path| path.to_string_lossy().into_owned())
    }

    #[test]
    fn p6_table_of_windows_settings() {
        use InvalidPath::{DriveRoot, Empty, Home, LeavesHome, NearRoot, Nul, Relative, Unc};
        for (given, want) in [
            ("", Err(Empty)),
            ("mem", Err(Relative)),
            (r"..\mem\x", Err(Relative)),
            (r"C:mem\x", Err(Relative)),
            (r"\mem\x", Err(Relative)),
            ("C:", Err(DriveRoot)),
            (r"C:\", Err(DriveRoot)),
            ("c:/", Err(DriveRoot)),
            (r"C:\mem", Err(NearRoot)),
            (r"C:\a\..\mem", Err(NearRoot)),
            (r"\\srv\share\m", Err(Unc)),
            ("//srv/share/m", Err(Unc)),
            (r"\\?\C:\m\x", Err(Unc)),
            ("C:\\a\\b\0c", Err(Nul)),
            ("~", Err(Home)),
            (r"C:\Users\me", Err(Home)),
            (r"~\..\other", Err(LeavesHome)),
            (r"C:\mem\x", Ok(r"C:\mem\x")),
            ("D:/mem/./x/", Ok(r"D:\mem\x")),
            (r"~\mem", Ok(r"C:\Users\me\mem")),
            ("~/mem/x", Ok(r"C:\Users\me\mem\x")),
        ] {
            assert_eq!(check(given), want.map(str::to_owned), "{given:?}");
        }
    }
}
