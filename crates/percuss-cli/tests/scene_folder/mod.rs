//! A temporary folder with scenes, and the program run in it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use tempfile::TempDir;

/// A ball bounces on a floor once or twice; two channels, two probes.
pub const BALL: &str = r#"
[scene]
name = "Ball"
sample_rate = 8000
duration = 0.25

[[mass]]
id = "ball"
mass = 0.01
position = 0.01
gravity = 9.81

[[barrier]]
id = "floor"
position = 0.0

[[string]]
id = "string"
method = "grid"
length = 0.5
radius = 0.4e-3
tension = 100
displacement = { shape = "triangle", at = 0.3, height = 1e-3 }

[[collision]]
id = "bounce"
below = { of = "floor" }
above = { of = "ball" }
stiffness = 1e6
exponent = 1.5
loss = 0.2

[[pickup]]
of = "ball"
quantity = "velocity"
pan = -1.0

[[pickup]]
of = "string"
at = 0.9
quantity = "velocity"
pan = 1.0

[[probe]]
of = "ball"
quantity = "displacement"

[[probe]]
of = "bounce"
quantity = "force"
"#;

/// A mass on a spring; its displacement is a slow cosine.
pub const COSINE: &str = r#"
[scene]
name = "Cosine"
sample_rate = 8000
duration = 0.5

[[mass]]
id = "bob"
mass = 1e-3
position = 1e-3
frequency = 5

[[pickup]]
of = "bob"
quantity = "displacement"
"#;

/// A struck plate with a hand on it; its square cells make it slightly wider than given.
pub const PLATE: &str = r#"
[scene]
name = "Plate"
sample_rate = 44100
duration = 0.1

[[plate]]
id = "plate"
size = [0.2, 0.125]
thickness = 2e-3

[[touch]]
of = "plate"
region = { kind = "circle", centre = [0.3, 0.5], radius = 0.04 }
pressure = { time = [0.0, 0.05, 0.06], value = [0.0, 0.0, 1.0] }
mass = 7.2
damping = 250

[[pulse]]
of = "plate"
at = [0.8, 0.7]

[[pickup]]
of = "plate"
at = [0.9, 0.1]
quantity = "velocity"
"#;

/// A folder with these scenes, in which the program runs.
pub struct SceneFolder {
    folder: TempDir,
}

impl SceneFolder {
    pub fn new() -> Self {
        let folder = TempDir::new().unwrap();
        fs::write(folder.path().join("ball.toml"), BALL).unwrap();
        fs::write(folder.path().join("cosine.toml"), COSINE).unwrap();
        fs::write(folder.path().join("plate.toml"), PLATE).unwrap();
        Self { folder }
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub fn run(&self, line: &str) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_percuss"));
        command.current_dir(self.folder.path()).stdin(Stdio::null());
        command.args(line.split_whitespace()).output().unwrap()
    }

    #[track_caller]
    pub fn succeed(&self, line: &str) -> String {
        let output = self.run(line);
        assert_eq!(output.status.code(), Some(0), "percuss {line}: {}", text(&output.stderr));
        text(&output.stdout)
    }

    #[track_caller]
    pub fn fail(&self, line: &str, code: i32) -> String {
        let output = self.run(line);
        assert_eq!(output.status.code(), Some(code), "percuss {line}: {}", text(&output.stderr));
        let message = text(&output.stderr);
        assert!(message.starts_with("error: "), "percuss {line}: {message}");
        message
    }

    /// Names of all files but the scenes.
    pub fn written_files(&self) -> Vec<String> {
        fn walk(folder: &Path, names: &mut Vec<String>) {
            for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
                if entry.path().is_dir() {
                    walk(&entry.path(), names);
                } else if entry.path().extension().is_none_or(|extension| extension != "toml") {
                    names.push(entry.file_name().into_string().unwrap());
                }
            }
        }
        let mut names = Vec::new();
        walk(self.folder.path(), &mut names);
        names.sort();
        names
    }

    /// Samples of a 32-bit file.
    pub fn samples(&self, name: &str) -> Vec<f32> {
        hound::WavReader::open(self.path(name)).unwrap().into_samples().map(Result::unwrap).collect()
    }
}

pub fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}
