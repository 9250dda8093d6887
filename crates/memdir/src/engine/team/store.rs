//! A team in an object store: its layout, its keys, and who we are to it.

use std::path::{Path, PathBuf};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::engine::{Error, Memory, Sharing};
use memdir_core::limits;
use memdir_store::fs::{self, Durability};
use memdir_team::bucket::{Bucket, BucketLayout, NodeCache, S3, Seal, Tidied};
use memdir_team::config::{Team, TeamSource};
use memdir_team::crypt::TeamKeys;
use memdir_team::identity::SigningIdentity;
use memdir_team::sync::SyncError;

/// What is kept of who we are.
#[derive(Serialize, Deserialize)]
struct Kept {
    name: String,
    key: String,
}

/// Nodes of a tree that were read before, in the cache directory.
struct Nodes(PathBuf);

impl NodeCache for Nodes {
    fn get(&self, id: &str) -> Option<Vec<u8>> {
        let path = self.0.join(id);
        path.exists().then(|| fs::read_beside(&path).ok()).flatten()
    }

    fn put(&self, id: &str, bytes: &[u8]) {
        // Without it the node is read again.
        let _ = fs::create_private_dir(&self.0).and_then(|()| fs::replace(&self.0.join(id), bytes, Durability::Cache));
    }
}

impl Sharing<'_> {
    /// The bucket of a new team: what is there is taken over, else it is laid out like this.
    pub fn lay_out_store(
        &self,
        (url, endpoint, region): (&str, Option<&str>, &str),
        wanted: BucketLayout,
        keys: Vec<PathBuf>,
        clock: fn() -> Timestamp,
    ) -> Result<TeamSource, Error> {
        let objects = S3::open(url, endpoint, region, &self.memory.around, clock).map_err(SyncError::from)?;
        let layout = wanted.settle(&objects).map_err(SyncError::from)?;
        if layout.sealed && keys.is_empty() {
            return Err(Error::NeedsTeamKey(url.to_owned()));
        }
        if !layout.sealed && !keys.is_empty() {
            return Err(Error::Refused(format!(
                "{url} is in use without a key; take another prefix for an encrypted one"
            )));
        }
        read_keys(&keys)?;
        let (endpoint, region) = (endpoint.map(str::to_owned), region.to_owned());
        Ok(TeamSource::Store { url: url.to_owned(), endpoint, region, layout, keys })
    }

    /// Who we are to a team: made when it is first needed.
    pub fn identity(&self) -> Result<SigningIdentity, Error> {
        let Some(config) = &self.memory.around.config_dir else {
            return Err(Error::Refused("no configuration directory is known; set HOME or XDG_CONFIG_HOME".into()));
        };
        let file = config.join("memdir").join("identity.json");
        let unusable =
            || Error::Refused(format!("{} holds no usable key; remove it, and a new one is made", file.display()));
        let bytes = fs::read_beside(&file)?;
        let kept = if bytes.is_empty() {
            let key = SigningIdentity::new_key().ok_or_else(unusable)?;
            let kept = Kept { name: self.memory.own_name(), key: STANDARD.encode(key) };
            fs::create_private_dir(&config.join("memdir"))?;
            fs::replace(&file, &serde_json::to_vec_pretty(&kept).unwrap_or_default(), Durability::Synced)?;
            kept
        } else {
            serde_json::from_slice(&bytes).map_err(|_| unusable())?
        };
        let key = STANDARD.decode(&kept.key).map_err(|_| unusable())?;
        SigningIdentity::open(&kept.name, &key).ok_or_else(unusable)
    }

    /// Removes what no member needs any more from a team's bucket. `dry`: only counts.
    pub fn tidy(&self, name: Option<&str>, clock: fn() -> Timestamp, dry: bool) -> Result<(Team, Tidied), Error> {
        self.memory.require_on()?;
        let teams = self.list()?;
        let team = self.named(&teams, name)?.clone();
        if team.read_only {
            return Err(Error::Refused(format!(
                "this machine only reads from {}; tidy up from a machine that writes",
                team.name
            )));
        }
        if matches!(team.source, TeamSource::Git { .. }) {
            return Err(Error::Refused(format!(
                "{} is in git, which looks after its own history; only a bucket is tidied up",
                team.name
            )));
        }
        let tidied = self.memory.bucket(&team, clock)?.tidy(dry).map_err(SyncError::from)?;
        Ok((team, tidied))
    }

    /// Takes over the key that somebody else changed to: it opens what is in the bucket, and encrypts from now on.
    pub fn add_key(&self, name: Option<&str>, file: &Path, clock: fn() -> Timestamp) -> Result<Team, Error> {
        let teams = self.list()?;
        let team = self.named(&teams, name)?;
        let mut only = team.clone();
        if let TeamSource::Store { keys, .. } = &mut only.source {
            *keys = vec![file.to_path_buf()];
        }
        // With a key that the others do not have, they could not read what this machine writes.
        if self.memory.bucket(&only, clock)?.cached(None).opens().map_err(SyncError::from)? {
            return self.memory.put_key_first(&team.name, file);
        }
        Err(Error::WrongTeamKey(file.display().to_string()))
    }

    /// Encrypts with another key from now on, and everything that is there again.
    pub fn rotate_key(&self, name: Option<&str>, file: &Path, clock: fn() -> Timestamp) -> Result<Team, Error> {
        read_keys(&[file.to_path_buf()])?;
        let teams = self.list()?;
        // With both keys first: should this end halfway, everything stays readable.
        let team = self.memory.put_key_first(&self.named(&teams, name)?.name, file)?;
        self.memory.bucket(&team, clock)?.reseal().map_err(SyncError::from)?;
        Ok(team)
    }
}

impl Memory {
    pub(super) fn bucket(&self, team: &Team, clock: fn() -> Timestamp) -> Result<Bucket<S3>, Error> {
        let TeamSource::Store { url, endpoint, region, layout, keys } = &team.source else {
            return Err(Error::Refused(format!("{} is not in an object store", team.name)));
        };
        let objects = S3::open(url, endpoint.as_deref(), region, &self.around, clock).map_err(SyncError::from)?;
        let seal = read_keys(keys)?.map(|keys| Box::new(keys) as Box<dyn Seal>);
        let nodes = self.dirs.cache.join("team").join(self.team_key()?).join(&team.name);
        Ok(Bucket::new(objects, layout)
            .sealed(seal)
            .cached(Some(Box::new(Nodes(nodes))))
            .signed(Some(self.teams().identity()?)))
    }

    /// The name that git knows us by, else the one of the account.
    fn own_name(&self) -> String {
        let git = |key: &str| (self.git)(&self.place.project.cwd, &["config", key]).map(|text| text.trim().to_owned());
        match (git("user.name"), git("user.email")) {
            (Some(name), Some(mail)) => format!("{name} <{mail}>"),
            (Some(name), None) => name,
            _ => self.around.var("USER").unwrap_or("somebody").to_owned(),
        }
    }

    fn put_key_first(&self, name: &str, file: &Path) -> Result<Team, Error> {
        let mut sealed = false;
        let team = self.teams().change(Some(name), |team| {
            if let TeamSource::Store { layout, keys, .. } = &mut team.source
                && layout.sealed
            {
                sealed = true;
                keys.retain(|known| known != file);
                keys.insert(0, file.to_path_buf());
            }
        })?;
        if sealed {
            return Ok(team);
        }
        Err(Error::Refused(format!("{} is not encrypted, so there is no key to change", team.name)))
    }
}

/// Reads key files; none is not a key.
fn read_keys(files: &[PathBuf]) -> Result<Option<TeamKeys>, Error> {
    if files.is_empty() {
        return Ok(None);
    }
    let mut texts = Vec::new();
    for file in files {
        let shown = file.display();
        let bytes = memdir_core::read::small(file, limits::CONFIG_BYTES)
            .map_err(|why| Error::Refused(format!("the key file {shown} could not be read: {why}")))?
            .ok_or_else(|| Error::Refused(format!("there is no key file {shown}")))?;
        texts.push(String::from_utf8_lossy(&bytes).into_owned());
    }
    TeamKeys::read(&texts).map(Some).map_err(|why| Error::Refused(format!("{why}: {}", files[0].display())))
}
