//! Laws of data sets: a clip depends on recipe and number alone, a set on nothing else.

use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::{Field, Row};
use percuss_data::{DataSet, Recipe, Value, render};
use proptest::prelude::*;
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::path::Path;

const RECIPE: &str = r#"
name = "bars"
preset = "colliding-masses"
seed = 5
clips = 7
clips_per_shard = 3
duration = 0.05

[keep]
audio = "wav"
energy = true
forces = ["clash"]
hits = ["clash"]

[[vary]]
path = "light.mass"
log_uniform = [1e-3, 1e-2]
"#;

fn recipe(text: &str) -> Recipe {
    Recipe::parse(text, "recipe.toml").unwrap_or_else(|error| panic!("{error}"))
}

/// All files of a folder.
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

/// Makes a set with its shards in an order.
fn make(recipe: &Recipe, order: &[u64], threads: usize) -> BTreeMap<String, Vec<u8>> {
    let folder = tempfile::tempdir().unwrap();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    let (first, others) = order.split_first().unwrap();
    let set = DataSet::open(recipe, folder.path()).unwrap();
    pool.install(|| set.write_shard(*first, &|| ())).unwrap();
    let set = DataSet::open(recipe, folder.path()).unwrap();
    pool.install(|| set.write_shards(others, &|| ())).unwrap();
    DataSet::open(recipe, folder.path()).unwrap().finish().unwrap();
    files(folder.path())
}

#[test]
fn a_set_does_not_depend_on_order_threads_and_repetition() {
    for format in ["parquet", "webdataset"] {
        let recipe = recipe(&RECIPE.replace("name = \"bars\"", &format!("name = \"bars\"\nformat = \"{format}\"")));
        let set = make(&recipe, &[0, 1, 2], 1);
        assert_eq!(set.keys().filter(|name| name.starts_with("data/")).count(), 3, "{:?}", set.keys());
        assert_eq!(set, make(&recipe, &[2, 0, 2, 1, 0], 3));
    }
}

#[test]
fn clips_are_the_same_in_shards_of_any_size() {
    let [small, large] = [3, 100].map(|size| recipe(&RECIPE.replace("shard = 3", &format!("shard = {size}"))));
    for clip in [0, 3, 6] {
        assert_eq!(render(&small, clip).unwrap(), render(&large, clip).unwrap());
    }
    assert_ne!(render(&small, 0).unwrap().unwrap().samples, render(&small, 1).unwrap().unwrap().samples);
}

#[test]
fn a_row_of_parquet_has_the_values_of_its_clip() {
    let (recipe, folder) = (recipe(RECIPE), tempfile::tempdir().unwrap());
    let set = DataSet::open(&recipe, folder.path()).unwrap();
    let record = set.write_shard(1, &|| ()).unwrap();
    let reader = SerializedFileReader::new(File::open(folder.path().join("data").join(record.file)).unwrap()).unwrap();
    let rows: Vec<Row> = reader.get_row_iter(None).unwrap().map(Result::unwrap).collect();
    assert_eq!(rows.len(), 3);
    for (row, index) in rows.iter().zip(3..) {
        let clip = render(&recipe, index).unwrap().unwrap();
        let fields: BTreeMap<&str, &Field> =
            row.get_column_iter().map(|(name, field)| (name.as_str(), field)).collect();
        assert_eq!(fields["clip"], &Field::Long(index as i64));
        let Value::Number(mass) = clip.values[0] else { panic!("{:?}", clip.values) };
        assert_eq!(fields["light_mass"], &Field::Double(mass));
        let energy = clip.energy.unwrap();
        assert_eq!(fields["energy_initial"], &Field::Double(energy.initial));
        let Field::ListInternal(stored) = fields["energy_stored"] else { panic!("{:?}", fields["energy_stored"]) };
        assert_eq!(stored.elements(), energy.stored.iter().map(|&value| Field::Double(value)).collect::<Vec<_>>());
        let Field::ListInternal(force) = fields["clash_force"] else { panic!() };
        assert_eq!(
            force.elements(),
            clip.forces[0].values.iter().map(|&value| Field::Float(value)).collect::<Vec<_>>()
        );
        assert_eq!(fields["clash_force_start"], &Field::Long(clip.forces[0].start as i64));
        let Field::Group(audio) = fields["audio"] else { panic!() };
        let bytes = audio
            .get_column_iter()
            .find_map(|(_, field)| if let Field::Bytes(bytes) = field { Some(bytes) } else { None });
        let samples: Vec<f32> =
            hound::WavReader::new(bytes.unwrap().data()).unwrap().into_samples().map(Result::unwrap).collect();
        assert_eq!(samples, clip.samples.iter().map(|&sample| sample as f32).collect::<Vec<_>>());
    }
}

#[test]
fn labels_agree_with_each_other() {
    let recipe = recipe(RECIPE);
    for index in 0..recipe.clips {
        let clip = render(&recipe, index).unwrap().unwrap();
        assert_eq!(clip.samples.len(), recipe.samples() * clip.channels);
        let (force, hits) = (&clip.forces[0], &clip.hits[0]);
        assert_eq!(force.values.is_empty(), hits.is_empty());
        if let (Some(first), Some(hit)) = (force.values.first(), hits.first()) {
            assert!(*first != 0.0 && force.values.last() != Some(&0.0));
            assert_eq!((hit * f64::from(recipe.rate)).round() as usize, force.start);
        }
        let energy = clip.energy.unwrap();
        assert_eq!(energy.stored.len(), recipe.samples() / percuss_data::ENERGY_INTERVAL);
        assert!(energy.stored.iter().all(|&stored| stored <= (energy.initial + energy.supplied) * (1.0 + 1e-9)));
    }
}

#[test]
fn flac_gives_the_samples_back_within_its_resolution() {
    let text = RECIPE.replace("audio = \"wav\"", "audio = \"flac\"");
    let (recipe, folder) = (recipe(&text), tempfile::tempdir().unwrap());
    let record = DataSet::open(&recipe, folder.path()).unwrap().write_shard(0, &|| ()).unwrap();
    let reader = SerializedFileReader::new(File::open(folder.path().join("data").join(record.file)).unwrap()).unwrap();
    let row = reader.get_row_iter(None).unwrap().next().unwrap().unwrap();
    let field = |name: &str| row.get_column_iter().find(|(own, _)| *own == name).unwrap().1.clone();
    let (Field::Double(scale), Field::Group(audio)) = (field("audio_scale"), field("audio")) else { panic!() };
    let bytes = audio
        .get_column_iter()
        .find_map(|(_, field)| if let Field::Bytes(bytes) = field { Some(bytes.data().to_vec()) } else { None });
    let mut decoder = flac_codec::decode::FlacSampleReader::new(std::io::Cursor::new(bytes.unwrap())).unwrap();
    let mut decoded = Vec::new();
    decoder.read_to_end(&mut decoded).unwrap();
    let clip = render(&recipe, 0).unwrap().unwrap();
    assert_eq!(decoded.len(), clip.samples.len());
    for (found, expected) in decoded.iter().zip(&clip.samples) {
        assert!((f64::from(*found) / 8_388_608.0 * scale - expected).abs() <= 0.51 * scale / 8_388_608.0);
    }
}

/// Draws of which a part has a mass below 0.
fn with_invalid(invalid: &str) -> Recipe {
    let text = RECIPE.replace("log_uniform = [1e-3, 1e-2]", "uniform = [-1e-3, 1e-3]");
    recipe(&text.replace("seed = 5", &format!("seed = 5\ninvalid = \"{invalid}\"")))
}

#[test]
fn invalid_draws_are_replaced_left_out_or_refused_as_the_recipe_says() {
    let folder = tempfile::tempdir().unwrap();
    let records = |recipe: &Recipe, name: &str| {
        let set = DataSet::open(recipe, &folder.path().join(name)).unwrap();
        (0..recipe.shards()).map(|shard| set.write_shard(shard, &|| ())).collect::<Result<Vec<_>, _>>()
    };
    let replaced = with_invalid("replace");
    let made = records(&replaced, "replace").unwrap();
    assert_eq!(made.iter().map(|record| record.clips).sum::<u64>(), 7);
    let rejected: u64 = (0..7).map(|clip| u64::from(render(&replaced, clip).unwrap().unwrap().rejected)).sum();
    assert!(rejected > 0);
    assert_eq!(made.iter().map(|record| record.replaced).sum::<u64>(), rejected);
    let skipping = with_invalid("skip");
    let made = records(&skipping, "skip").unwrap();
    let skipped = (0..7).filter(|&clip| render(&skipping, clip).unwrap().is_none()).count() as u64;
    assert!(skipped > 0 && skipped < 7);
    assert_eq!(made.iter().map(|record| record.skipped).sum::<u64>(), skipped);
    assert_eq!(made.iter().map(|record| record.clips + record.skipped).sum::<u64>(), 7);
    let message = records(&with_invalid("refuse"), "refuse").unwrap_err().to_string();
    assert!(message.contains("mass") && message.contains("hint: "), "{message}");
}

#[test]
fn a_recipe_that_is_never_valid_is_refused_after_many_draws() {
    let never = recipe(&RECIPE.replace("log_uniform = [1e-3, 1e-2]", "uniform = [-2.0, -1.0]"));
    let message = render(&never, 0).unwrap_err().to_string();
    assert!(message.contains("1000 draws"), "{message}");
}

#[test]
fn a_folder_with_something_else_is_not_touched() {
    let (own, folder) = (recipe(RECIPE), tempfile::tempdir().unwrap());
    let refused = |recipe: &Recipe, folder: &Path| DataSet::open(recipe, folder).err().map(|error| error.to_string());
    fs::write(folder.path().join("letter.txt"), "dear").unwrap();
    assert!(refused(&own, folder.path()).unwrap().contains("is not empty"));
    let inner = folder.path().join("set");
    assert_eq!(refused(&own, &inner), None);
    assert_eq!(refused(&own, &inner), None);
    assert!(refused(&recipe(&RECIPE.replace("seed = 5", "seed = 6")), &inner).unwrap().contains("another recipe"));
    assert!(DataSet::open(&own, &inner).unwrap().finish().unwrap_err().to_string().contains("3 shards are missing"));
}

#[test]
fn a_set_whose_first_file_was_cut_off_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("recipe.toml.part-7-1"), "").unwrap();
    assert!(DataSet::open(&recipe(RECIPE), folder.path()).is_ok());
}

#[test]
fn a_shard_that_is_cut_off_is_made_again() {
    let (recipe, folder) = (recipe(RECIPE), tempfile::tempdir().unwrap());
    let set = DataSet::open(&recipe, folder.path()).unwrap();
    for shard in 0..3 {
        set.write_shard(shard, &|| ()).unwrap();
    }
    assert!(set.missing_shards().is_empty());
    let path = folder.path().join("data").join(set.shard_name(1));
    let bytes = fs::read(&path).unwrap();
    fs::write(&path, &bytes[..bytes.len() - 1]).unwrap();
    assert_eq!(set.missing_shards(), [1]);
    set.write_shard(1, &|| ()).unwrap();
    assert_eq!(fs::read(&path).unwrap(), bytes);
}

#[test]
fn errors_of_recipes_have_place_and_hint() {
    for (from, to, place, message) in [
        ("light.mass", "light.mas", "recipe.toml:16:8", "did you mean \"light.mass\""),
        ("log_uniform = [1e-3, 1e-2]", "", "recipe.toml:15:1", "has 0 distributions"),
        ("log_uniform = [1e-3", "log_uniform = [-1.0", "recipe.toml:16:8", "above 0"),
        ("log_uniform = [1e-3", "uniform = [1.0", "recipe.toml:16:8", "the smaller one first"),
        ("clips = 7", "clips = 0", "recipe.toml:5:9", "from 1 to"),
        ("colliding-masses", "coliding-masses", "recipe.toml:3:10", "did you mean \"colliding-masses\""),
        ("duration = 0.05", "duration = 1e9", "recipe.toml:7:12", "at most 600 s"),
        ("seed = 5", "sed = 5", "recipe.toml:4:1", "unknown field"),
        ("forces = [\"clash\"]", "forces = [\"clas\"]", "recipe.toml: ", "did you mean \"clash\""),
        ("name = \"bars\"", "name = \"../bars\"", "recipe.toml:2:8", "plain name"),
        ("preset", "scene", "recipe.toml:3:9", "cannot be read"),
    ] {
        let text = RECIPE.replace(from, to);
        assert_ne!(text, RECIPE);
        let error = Recipe::parse(&text, "recipe.toml").unwrap_err().to_string();
        assert!(error.contains(place) && error.contains(message) && error.contains("hint: "), "{to}: {error}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn any_text_is_a_recipe_or_an_error(text in "[a-z\\[\\]=\"0-9.\n -]{0,200}") {
        let _ = Recipe::parse(&text, "recipe.toml");
    }

    #[test]
    fn shards_hold_every_clip_once(clips in 1_u64..10_000, size in 1_u64..3000) {
        let text = RECIPE.replace("clips = 7", &format!("clips = {clips}"));
        let recipe = recipe(&text.replace("shard = 3", &format!("shard = {size}")));
        let all: Vec<u64> = (0..recipe.shards()).flat_map(|shard| recipe.clips_of(shard)).collect();
        prop_assert_eq!(all, (0..clips).collect::<Vec<_>>());
    }
}
