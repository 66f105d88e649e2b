//! A directory for one rehearsal.

use std::path::{Path, PathBuf};

use super::DemoError;

/// A new directory that goes away with this value.
#[derive(Debug)]
pub(super) struct Workplace(PathBuf);

impl Workplace {
    pub(super) fn new() -> Result<Self, DemoError> {
        let directory = std::env::temp_dir().join(format!("order-service-demo-{}", uuid::Uuid::new_v4()));
        std::fs::create_dir(&directory)
            .map_err(|error| DemoError::Surroundings("making a directory for the demo", error))?;
        Ok(Self(directory))
    }

    pub(super) fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Workplace {
    fn drop(&mut self) {
        // What cannot be removed is left in the system's own place for such things.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
