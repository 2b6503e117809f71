//! The probe table: one column per probe, one row per physics step.

use crate::error::{CliError, Result};
use crate::output::OutputFile;
use percuss::{PickupId, Simulation};
use percuss_scene::Scene;
use std::fs::File;
use std::io::{self, BufWriter, Seek, Write};

/// CSV table in an unnamed temporary file, which the system removes if the run is stopped.
pub struct ProbeTable {
    pickups: Vec<PickupId>,
    writer: BufWriter<File>,
}

impl ProbeTable {
    /// Opens a table for all probes of a scene and writes its header.
    pub fn new(scene: &Scene, output: &OutputFile) -> Result<Self> {
        if scene.probes.is_empty() {
            return Err(CliError::with_hint(
                format!("{}: the scene has no probes to write", output.given_path.display()),
                "add a [[probe]] to the scene, or leave out --probes",
            ));
        }
        let open = || {
            let mut writer = BufWriter::new(tempfile::tempfile_in(output.folder())?);
            let labels: Vec<String> = scene.probes.iter().map(|probe| csv_field(&probe.label)).collect();
            writeln!(writer, "{}", labels.join(","))?;
            Ok(writer)
        };
        let writer = open().map_err(|error| CliError::io("cannot be written", &output.given_path, &error))?;
        Ok(Self { pickups: scene.probes.iter().map(|probe| probe.pickup).collect(), writer })
    }

    /// Writes the row of the current step, with 17 digits, so that every number can be read back exactly.
    pub fn write_row(&mut self, sim: &Simulation) -> io::Result<()> {
        for (index, &pickup) in self.pickups.iter().enumerate() {
            let comma = if index > 0 { "," } else { "" };
            write!(self.writer, "{comma}{:.16e}", sim.read(pickup))?;
        }
        self.writer.write_all(b"\n")
    }

    /// Copies the finished table to the output file.
    pub fn finish(self, output: &OutputFile) -> Result<()> {
        output.write(|file| {
            let mut table = self.writer.into_inner().map_err(io::IntoInnerError::into_error)?;
            table.rewind()?;
            io::copy(&mut table, file).map(drop)
        })
    }
}

/// A field of a CSV file, quoted where necessary.
fn csv_field(label: &str) -> String {
    if label.contains([',', '"', '\n', '\r']) { format!("\"{}\"", label.replace('"', "\"\"")) } else { label.into() }
}

#[cfg(test)]
mod tests {
    use super::csv_field;

    #[test]
    fn labels_with_commas_and_quotes_are_quoted() {
        assert_eq!(csv_field("string@0.5 velocity [m/s]"), "string@0.5 velocity [m/s]");
        assert_eq!(csv_field("a, b"), "\"a, b\"");
        assert_eq!(csv_field("a \"b\""), "\"a \"\"b\"\"\"");
    }
}
