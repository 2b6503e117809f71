//! A short run of the search: random scenes over the whole format obey all laws that it checks. A run of any length:
//! `cargo run --release --example search -- --scenes N --seed S`.

#[path = "../examples/search/harness/mod.rs"]
mod harness;

use std::path::Path;

const SEED: u64 = 18;
const SCENES: u64 = 300;

#[test]
fn random_scenes_obey_all_laws() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("search");
    harness::files::write(&folder).expect("a folder that can be written");
    let summary = harness::search(SEED, 0..SCENES, &folder, || {});
    assert!(summary.accepted_share() > 0.6, "{}", summary.report(&folder, 0));
    assert!(summary.is_clean(), "{}", summary.report(&folder, 1));
}

#[test]
fn scene_depends_only_on_seed_and_index() {
    for index in 0..50 {
        let text = harness::generate::generate_scene(SEED, index).to_string();
        assert_eq!(text, harness::generate::generate_scene(SEED, index).to_string());
        assert_ne!(text, harness::generate::generate_scene(SEED + 1, index).to_string());
    }
}
