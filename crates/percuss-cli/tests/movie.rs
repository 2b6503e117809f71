//! Movies of strings and plates: files, contents and rejected arguments.

use std::fs::{self, File};
use std::io::BufReader;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use tempfile::TempDir;

/// A plate with a hand on it, struck after 2 ms, and a moving string with a mass below it.
const SCENE: &str = r#"
[scene]
name = "Plate and string"
sample_rate = 44100
duration = 0.02

[[plate]]
id = "plate"
size = [0.2, 0.15]
thickness = 2e-3

[[touch]]
of = "plate"
region = { kind = "circle", centre = [0.3, 0.5], radius = 0.04 }
damping = 250

[[pulse]]
of = "plate"
at = [0.8, 0.7]
time = 2e-3

[[string]]
id = "string"
length = 0.5
radius = 0.4e-3
tension = 100
ends = ["free", "clamped"]
velocity = { shape = "triangle", at = 0.3, height = 1.0 }

[[mass]]
id = "bead"
mass = 1e-3

[[collision]]
below = { of = "bead" }
above = { of = "string", at = 0.7 }
stiffness = 1e6

[[pickup]]
of = "plate"
at = [0.9, 0.1]
"#;

/// Only the plate, which rests until it is struck.
fn plate_only() -> String {
    SCENE[..SCENE.find("[[string]]").unwrap()].to_string() + &SCENE[SCENE.find("[[pickup]]").unwrap()..]
}

const BALL: &str = "[[mass]]\nid = \"ball\"\nmass = 0.01\nvelocity = 1.0\n[[pickup]]\nof = \"ball\"\n";

struct MovieFolder {
    folder: TempDir,
}

impl MovieFolder {
    fn new() -> Self {
        let folder = TempDir::new().unwrap();
        fs::write(folder.path().join("both.toml"), SCENE).unwrap();
        fs::write(folder.path().join("plate.toml"), plate_only()).unwrap();
        fs::write(folder.path().join("ball.toml"), BALL).unwrap();
        Self { folder }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Runs `render` with arguments; returns the exit code and all output.
    fn render(&self, arguments: &str) -> (Option<i32>, String) {
        let mut command = Command::new(env!("CARGO_BIN_EXE_percuss"));
        command.current_dir(self.folder.path()).stdin(Stdio::null()).arg("render").args(arguments.split_whitespace());
        let output = command.output().unwrap();
        let printed = [output.stdout, output.stderr].concat();
        (output.status.code(), String::from_utf8(printed).unwrap())
    }

    fn succeed(&self, arguments: &str) -> String {
        let (code, printed) = self.render(arguments);
        assert_eq!(code, Some(0), "{printed}");
        printed
    }

    /// Names of all files but the scenes.
    fn written_files(&self) -> Vec<String> {
        let names = fs::read_dir(self.folder.path()).unwrap().map(|entry| entry.unwrap().file_name());
        let mut names: Vec<String> = names.map(|name| name.into_string().unwrap()).collect();
        names.retain(|name| !name.ends_with(".toml"));
        names.sort();
        names
    }
}

type Png = png::Reader<BufReader<File>>;

fn open(path: &Path) -> Png {
    png::Decoder::new(BufReader::new(File::open(path).unwrap())).read_info().unwrap()
}

fn frame(reader: &mut Png) -> Vec<u8> {
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    reader.next_frame(&mut pixels).unwrap();
    pixels
}

#[test]
fn folder_gets_numbered_frames_from_time_zero() {
    let test = MovieFolder::new();
    let printed = test.succeed("both.toml -o out.wav --movie movie --frames 4");
    assert!(printed.contains("4 frames") && printed.contains("200 times slower"), "{printed}");
    let mut names: Vec<_> = fs::read_dir(test.path("movie"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    assert_eq!(names, ["frame-00001.png", "frame-00002.png", "frame-00003.png", "frame-00004.png"]);
    let frames: Vec<Vec<u8>> = names.iter().map(|name| frame(&mut open(&test.path("movie").join(name)))).collect();
    assert!(frames.windows(2).all(|pair| pair[0] != pair[1] && pair[0].len() == pair[1].len()));
    assert_eq!(open(&test.path("movie/frame-00001.png")).info().size(), (1200, 556), "two panels side by side");
}

#[test]
fn animated_files_contain_all_frames() {
    let test = MovieFolder::new();
    test.succeed("both.toml -o out.wav --movie movie.png --frames 5 --fps 30");
    let mut movie = open(&test.path("movie.png"));
    let control = *movie.info().animation_control().unwrap();
    assert_eq!((control.num_frames, control.num_plays), (5, 0));
    let first = frame(&mut movie);
    assert_ne!(first, frame(&mut movie));
    let shown = movie.info().frame_control().unwrap();
    assert_eq!((shown.delay_num, shown.delay_den), (1, 30));

    test.succeed("both.toml -o out.wav --movie movie.gif --frames 6 --fps 30 --force");
    let mut movie = gif::DecodeOptions::new().read_info(File::open(test.path("movie.gif")).unwrap()).unwrap();
    let mut delays = Vec::new();
    while let Some(frame) = movie.read_next_frame().unwrap() {
        delays.push(frame.delay);
    }
    assert_eq!(delays, [3, 4, 3, 3, 4, 3]);
}

#[test]
fn movie_does_not_change_the_sound() {
    let test = MovieFolder::new();
    test.succeed("both.toml -o with.wav --movie movie.gif --frames 3");
    test.succeed("both.toml -o without.wav");
    assert_eq!(fs::read(test.path("with.wav")).unwrap(), fs::read(test.path("without.wav")).unwrap());
}

#[test]
fn movie_ends_with_the_sound_and_starts_at_any_time() {
    let test = MovieFolder::new();
    let printed = test.succeed("plate.toml -o out.wav --movie movie.gif --slow 10 --from 0.005");
    // 15 ms, one frame every 4 ms.
    assert!(printed.contains("movie   4 frames") && printed.contains("5.011 ms to 17.01 ms"), "{printed}");
    assert!(!printed.contains("--frames makes it longer"), "{printed}");
    let printed = test.succeed("plate.toml -o out.wav --movie movie.gif --frames 8 --force");
    assert!(printed.contains("nothing moves in it") && printed.contains("--from"), "{printed}");
}

#[test]
fn colour_scale_is_the_same_in_every_frame() {
    // The plate is struck at 2 ms and rests in the first frames; the colour bar is that of the whole movie.
    let test = MovieFolder::new();
    test.succeed("plate.toml -o out.wav --movie movie --frames 21");
    let nth_frame = |number: u32| frame(&mut open(&test.path(&format!("movie/frame-{number:05}.png"))));
    let (rest, ringing) = (nth_frame(1), nth_frame(21));
    let bar = |pixels: &[u8]| pixels.chunks(600).skip(70).flat_map(|row| row[490..].to_vec()).collect::<Vec<u8>>();
    assert_eq!(bar(&rest), bar(&ringing));
    assert!(bar(&rest).iter().any(|&pixel| pixel != bar(&rest)[0]), "the colour bar is in the region compared");
    assert_ne!(rest, ringing);
}

/// A bell of three modes that is struck at 2 ms.
const BELL: &str = "[[modal]]\nid = \"bell\"\nfrequency = [200, 410, 900]\npoints = { rim = [1, 1, -1] }\n\
                    [[pulse]]\nof = \"bell\"\nat = \"rim\"\ntime = 2e-3\n[[pickup]]\nof = \"bell\"\nat = \"rim\"\n";

#[test]
fn modes_of_a_body_move() {
    let test = MovieFolder::new();
    std::fs::write(test.path("bell.toml"), format!("[scene]\nduration = 0.02\n{BELL}")).unwrap();
    test.succeed("bell.toml -o out.wav --movie movie --frames 21");
    let nth_frame = |number: u32| frame(&mut open(&test.path(&format!("movie/frame-{number:05}.png"))));
    let (first, second, ringing) = (nth_frame(1), nth_frame(2), nth_frame(21));
    // Below the header, which shows the time.
    let panel = |pixels: &[u8]| pixels[60 * 860 * 3..].to_vec();
    assert_eq!(panel(&first), panel(&second), "it rests");
    assert_ne!(panel(&first), panel(&ringing));
}

#[test]
fn impossible_movies_are_rejected_before_the_run() {
    let test = MovieFolder::new();
    let cases = [
        (
            "ball.toml -o out.wav --movie movie.gif",
            "no string, bar, plate, membrane or modal body",
            "leave out --movie",
        ),
        ("plate.toml -o out.wav --movie movie.gif --slow 2000", "needs a frame every 20.00 µs", "at most --slow 1764"),
        ("plate.toml -o out.wav --movie movie.gif --from 0.02", "the sound ends after 0.02 s", "earlier"),
        ("plate.toml -o out.wav --movie movie.avi", "not written as avi", ".gif, .png, .mp4"),
        ("plate.toml -o out.wav --movie no/such/movie.gif", "does not exist", "mkdir"),
        ("plate.toml -o out.wav --movie plate.toml", "is a file, must be a folder", "another folder"),
    ];
    for (arguments, finding, hint) in cases {
        let (code, printed) = test.render(arguments);
        assert_eq!(code, Some(1), "{arguments}: {printed}");
        assert!(
            printed.contains(finding) && printed.contains("hint: ") && printed.contains(hint),
            "{arguments}: {printed}"
        );
    }
    for arguments in
        ["--fps 25", "--slow 10", "--movie f.gif --slow 0", "--movie f.gif --fps 51", "--movie f.gif --frames 0"]
    {
        assert_eq!(test.render(&format!("plate.toml -o out.wav {arguments}")).0, Some(2), "{arguments}");
    }
    assert!(test.written_files().is_empty(), "{:?}", test.written_files());
}

#[test]
fn frames_of_an_earlier_longer_movie_are_an_error() {
    let test = MovieFolder::new();
    test.succeed("plate.toml -o out.wav --movie movie --frames 3");
    test.succeed("plate.toml -o out.wav --movie movie --frames 3 --force");
    let (code, printed) = test.render("plate.toml -o out.wav --movie movie --frames 2");
    assert_eq!(code, Some(1));
    assert!(printed.contains("frame-00003.png: is left over") && printed.contains("hint: remove"), "{printed}");
}

#[test]
fn video_without_ffmpeg_is_refused_before_the_run() {
    let test = MovieFolder::new();
    let mut command = Command::new(env!("CARGO_BIN_EXE_percuss"));
    command.current_dir(test.folder.path()).env("PATH", "");
    let output = command.args(["render", "plate.toml", "-o", "out.wav", "--movie", "movie.mp4"]).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.contains("need the program ffmpeg") && said.contains("hint: install ffmpeg"), "{said}");
    assert!(test.written_files().is_empty(), "{:?}", test.written_files());
}

/// A value that ffprobe finds in a stream of a video, `v` or `a`.
fn probe(video: &Path, stream: &str, value: &str) -> String {
    let mut command = Command::new("ffprobe");
    command.args(["-v", "error", "-count_frames", "-select_streams", stream, "-of", "csv=p=0"]);
    let output = command.args(["-show_entries", &format!("stream={value}")]).arg(video).output().unwrap();
    String::from_utf8(output.stdout).unwrap().trim().trim_end_matches(',').to_owned()
}

#[test]
#[ignore = "needs ffmpeg; .ci/run installs it"]
fn videos_have_all_frames_and_a_sound_that_is_slowed_like_them() {
    let test = MovieFolder::new();
    for (file, codec) in [("movie.mp4", "h264"), ("movie.webm", "vp9")] {
        // 0.02 s, ten times slower, at 25 frames per second: six frames with both ends.
        test.succeed(&format!("plate.toml -o out.wav --force --movie {file} --slow 10 --fps 25"));
        let video = test.path(file);
        assert_eq!(probe(&video, "v", "codec_name,nb_read_frames"), format!("{codec},6"));
        assert_eq!(probe(&video, "a", "sample_rate"), "48000");
        test.succeed(&format!("plate.toml -o out.wav --force --movie {file} --slow 100 --fps 25"));
        assert_eq!(probe(&video, "a", "sample_rate"), "", "{file}: nothing is heard at a hundredth of the speed");
    }
}
