//! The probe table: one column per probe, one row per physics step.

use crate::output::Target;
use crate::{failure::Failure, failure::Result};
use percuss::{PickupId, Simulation};
use percuss_scene::Scene;
use std::fs::File;
use std::io::{self, BufWriter, Seek, Write};

/// The table on its way to disk. It grows in a file without a name, which vanishes should the run be stopped.
pub struct ProbeTable {
    pickups: Vec<PickupId>,
    writer: BufWriter<File>,
}

impl ProbeTable {
    /// Opens a table for all probes of a scene and writes its head.
    pub fn new(scene: &Scene, target: &Target) -> Result<Self> {
        if scene.probes.is_empty() {
            return Err(Failure::hinted(
                format!("{}: the scene has no probes to write", target.shown.display()),
                "add a [[probe]] to the scene, or leave out --probes",
            ));
        }
        let open = || {
            let mut writer = BufWriter::new(tempfile::tempfile_in(target.folder())?);
            let labels: Vec<String> = scene.probes.iter().map(|probe| quoted(&probe.label)).collect();
            writeln!(writer, "{}", labels.join(","))?;
            Ok(writer)
        };
        let writer = open().map_err(|error| Failure::file("cannot be written", &target.shown, &error))?;
        Ok(Self { pickups: scene.probes.iter().map(|probe| probe.pickup).collect(), writer })
    }

    /// Writes the row of the present step: 17 digits, so that every number can be read back exactly.
    pub fn row(&mut self, sim: &Simulation) -> io::Result<()> {
        for (index, &pickup) in self.pickups.iter().enumerate() {
            let comma = if index > 0 { "," } else { "" };
            write!(self.writer, "{comma}{:.16e}", sim.read(pickup))?;
        }
        self.writer.write_all(b"\n")
    }

    /// Puts the finished table where it belongs.
    pub fn finish(self, target: &Target) -> Result<()> {
        target.write(|file| {
            let mut table = self.writer.into_inner().map_err(io::IntoInnerError::into_error)?;
            table.rewind()?;
            io::copy(&mut table, file).map(drop)
        })
    }
}

/// A field of a CSV file.
fn quoted(label: &str) -> String {
    if label.contains([',', '"', '\n', '\r']) { format!("\"{}\"", label.replace('"', "\"\"")) } else { label.into() }
}

#[cfg(test)]
mod tests {
    use super::quoted;

    #[test]
    fn labels_with_commas_and_quotes_are_quoted() {
        assert_eq!(quoted("string@0.5 velocity [m/s]"), "string@0.5 velocity [m/s]");
        assert_eq!(quoted("a, b"), "\"a, b\"");
        assert_eq!(quoted("a \"b\""), "\"a \"\"b\"\"\"");
    }
}
