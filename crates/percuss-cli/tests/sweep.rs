//! `percuss sweep`: sets that are interrupted, and what it refuses.

mod program;

use program::percuss;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant, SystemTime};
use tempfile::TempDir;

const RECIPE: &str = r#"
name = "masses"
preset = "colliding-masses"
seed = 9
clips = 240
clips_per_shard = 12
duration = 0.3

[keep]
hits = ["clash"]
energy = true

[[vary]]
path = "light.mass"
log_uniform = [1e-3, 1e-2]
"#;

fn folder_with_recipe() -> TempDir {
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("recipe.toml"), RECIPE).unwrap();
    folder
}

fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
        let name = entry.file_name().into_string().unwrap();
        if entry.path().is_dir() {
            found.extend(files(&entry.path()).into_iter().map(|(inner, bytes)| (format!("{name}/{inner}"), bytes)));
        } else {
            found.insert(name, fs::read(entry.path()).unwrap());
        }
    }
    found
}

#[test]
fn a_set_that_was_killed_ten_times_is_the_same() {
    let test = folder_with_recipe();
    let start = Instant::now();
    let whole = percuss(test.path(), "sweep recipe.toml -o whole --threads 1");
    assert_eq!(whole.status.code(), Some(0), "{}", String::from_utf8_lossy(&whole.stderr));
    let (length, whole) = (start.elapsed(), files(&test.path().join("whole")));
    let seed = SystemTime::UNIX_EPOCH.elapsed().unwrap().as_nanos() as u64;
    println!("seed {seed}");
    let broken = test.path().join("broken");
    let mut random = seed;
    for _ in 0..10 {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let mut command = Command::new(env!("CARGO_BIN_EXE_percuss"));
        command.current_dir(&test).args(["sweep", "recipe.toml", "-o", "broken", "--threads", "1"]);
        let mut run = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        // Up to a fifth of the whole: the kills come at all stages.
        std::thread::sleep(Duration::from_secs_f64(
            0.2 * length.as_secs_f64() * (random >> 40) as f64 / (1 << 24) as f64,
        ));
        run.kill().unwrap();
        run.wait().unwrap();
        let complete = files(&broken).into_iter().filter(|(name, _)| !name.contains(".part-"));
        for (name, bytes) in complete {
            assert!(whole.get(&name) == Some(&bytes), "{name} is torn, seed {seed}");
        }
    }
    let last = percuss(test.path(), "sweep recipe.toml -o broken");
    assert_eq!(last.status.code(), Some(0), "{}", String::from_utf8_lossy(&last.stderr));
    assert_eq!(files(&broken), whole);
}

#[test]
fn parts_of_a_set_make_the_whole() {
    let test = folder_with_recipe();
    let run = |line: &str| {
        let output = percuss(test.path(), line);
        assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    };
    let printed = run("sweep recipe.toml -o whole");
    assert!(printed.contains("240 clips of 0.3 s, 20 shards"), "{printed}");
    for part in ["7-19", "0", "1-8"] {
        run(&format!("sweep recipe.toml -o parts --shards {part}"));
    }
    assert!(!test.path().join("parts/README.md").exists());
    let printed = run("sweep recipe.toml -o parts");
    assert!(!printed.contains("made"), "nothing was left to make: {printed}");
    assert_eq!(files(&test.path().join("parts")), files(&test.path().join("whole")));
    let card = fs::read_to_string(test.path().join("whole/README.md")).unwrap();
    assert!(card.starts_with("---\n") && card.contains("| light_mass |") && card.contains("240 clips"), "{card}");
}

#[test]
fn what_cannot_be_made_is_refused_with_a_hint() {
    let test = folder_with_recipe();
    fs::create_dir(test.path().join("other")).unwrap();
    fs::write(test.path().join("other/letter.txt"), "dear").unwrap();
    for (line, code, message) in [
        ("sweep recipe.toml", 2, "--output"),
        ("sweep none.toml -o set", 1, "none.toml"),
        ("sweep recipe.toml -o set --shards 5-20", 2, "the recipe has shards 0 to 19"),
        ("sweep recipe.toml -o other", 1, "is not empty"),
        ("sweep recipe.toml -o recipe.toml", 1, "recipe.toml"),
    ] {
        let output = percuss(test.path(), line);
        let printed = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{line}: {printed}");
        assert!(printed.contains(message), "{line}: {printed}");
    }
}

/// Records whose shard is not what they say.
fn torn_shards(set: &Path) -> Vec<String> {
    let is_torn = |name: &String| {
        let record: serde_json::Value =
            serde_json::from_slice(&fs::read(set.join("records").join(name)).unwrap()).unwrap();
        let shard = fs::metadata(set.join("data").join(record["file"].as_str().unwrap()));
        shard.map(|shard| shard.len()).ok() != record["bytes"].as_u64()
    };
    let names =
        fs::read_dir(set.join("records")).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    names.filter(|name| name.ends_with(".json")).filter(is_torn).collect()
}

/// A disk of 2 MB, which takes mounting, so that it is skipped where that is not allowed.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_ends_the_run_with_a_message_and_the_set_is_continued() {
    struct Disk(std::path::PathBuf);
    impl Disk {
        fn mount(&self, options: &str) -> bool {
            let mut command = Command::new("mount");
            let run = command.args(["-t", "tmpfs", "-o", options, "none"]).arg(&self.0).stderr(Stdio::null()).status();
            run.is_ok_and(|status| status.success())
        }
    }
    impl Drop for Disk {
        fn drop(&mut self) {
            let _ = Command::new("umount").arg(&self.0).stderr(Stdio::null()).status();
        }
    }
    let test = folder_with_recipe();
    let disk = Disk(test.path().join("disk"));
    fs::create_dir(&disk.0).unwrap();
    if !disk.mount("size=2m") {
        println!("skipped: a small disk cannot be mounted here");
        return;
    }
    let output = percuss(test.path(), "sweep recipe.toml -o disk/set");
    let printed = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{printed}");
    assert!(
        printed.contains("the disk is full") && printed.contains("hint: the shards so far are complete"),
        "{printed}"
    );
    let set = disk.0.join("set");
    let complete = fs::read_dir(set.join("records")).unwrap().count();
    assert!((1..20).contains(&complete), "{complete} of 20 shards");
    assert_eq!(torn_shards(&set), Vec::<String>::new());
    assert!(disk.mount("remount,size=100m"));
    assert_eq!(percuss(test.path(), "sweep recipe.toml -o disk/set").status.code(), Some(0));
    assert_eq!(percuss(test.path(), "sweep recipe.toml -o whole").status.code(), Some(0));
    assert_eq!(files(&set), files(&test.path().join("whole")));
}

#[cfg(unix)]
#[test]
fn a_folder_that_cannot_be_written_gives_an_error() {
    let test = folder_with_recipe();
    let output = percuss(test.path(), "sweep recipe.toml -o /proc/set");
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("/proc/set"));
}
