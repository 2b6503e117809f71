//! `percuss sweep`: makes a data set by a recipe.

use crate::arg_values::parse_shard_range;
use crate::error::{CliError, Result};
use crate::format;
use crate::progress::ClipProgress;
use percuss_data::{DataError, DataSet, Recipe, ShardRecord};
use percuss_scene::ChannelMixer;
use rayon::prelude::*;
use std::io::{self, Write};
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::time::Instant;

/// Arguments of `sweep`.
#[derive(Debug, clap::Args)]
pub struct SweepArgs {
    /// Recipe file
    #[arg(value_name = "RECIPE.toml")]
    pub recipe: PathBuf,
    /// Folder for the set: new, empty, or one that this recipe has begun
    #[arg(short, long, value_name = "DIR", required_unless_present = "engine_only")]
    pub output: Option<PathBuf>,
    /// Make only these shards, counted from 0, as in 0-9, and no card
    #[arg(long, value_name = "A-B", value_parser = parse_shard_range)]
    pub shards: Option<RangeInclusive<u64>>,
    /// Threads [default: one for each core]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = clap::value_parser!(u32).range(1..=1024))]
    pub threads: Option<u32>,
    /// Measure how fast the engine alone makes the sound of these clips, and keep nothing
    #[arg(long, conflicts_with_all = ["shards", "output"])]
    pub engine_only: bool,
}

/// Makes the shards that are missing, and the card.
pub fn run(args: &SweepArgs) -> Result<()> {
    let recipe = Recipe::load(&args.recipe)?;
    let pool = rayon::ThreadPoolBuilder::new().num_threads(args.threads.unwrap_or(0) as usize).build();
    let pool =
        pool.map_err(|error| CliError::with_hint(format!("cannot start threads: {error}"), "use fewer --threads"))?;
    let Some(folder) = &args.output else {
        return pool.install(|| measure_engine(&recipe));
    };
    let set = DataSet::open(&recipe, folder)?;
    let mut shards = set.missing_shards();
    if let Some(range) = &args.shards {
        check_range(range, &recipe)?;
        shards.retain(|shard| range.contains(shard));
    }
    let clips = shards.iter().map(|&shard| recipe.clips_of(shard)).map(|clips| clips.end - clips.start).sum();
    let progress = ClipProgress::new(clips);
    let start = Instant::now();
    pool.install(|| set.write_shards(&shards, &|| progress.advance()))?;
    drop(progress);
    let mut out = io::stdout().lock();
    if clips > 0 {
        writeln!(out, "made    {}", throughput(clips, &recipe, start))?;
    }
    if args.shards.is_none() {
        summarise(&mut out, &recipe, &set.finish()?)?;
        writeln!(out, "wrote   {}", folder.join("README.md").display())?;
    }
    Ok(out.flush()?)
}

fn check_range(range: &RangeInclusive<u64>, recipe: &Recipe) -> Result<()> {
    let last = recipe.shards() - 1;
    if *range.end() <= last {
        return Ok(());
    }
    Err(CliError::Usage {
        message: format!("--shards ends at {}, the recipe has shards 0 to {last}", range.end()),
        hint: format!("use --shards {}-{last}", range.start().min(&last)),
    })
}

fn throughput(clips: u64, recipe: &Recipe, start: Instant) -> String {
    let seconds = start.elapsed().as_secs_f64();
    let sound = clips as f64 * recipe.duration;
    format!("{} in {seconds:.1} s, {:.1}× real time", format::plural(clips, "clip"), sound / seconds)
}

fn summarise(out: &mut impl Write, recipe: &Recipe, records: &[ShardRecord]) -> io::Result<()> {
    let sum = |value: fn(&ShardRecord) -> u64| records.iter().map(value).sum::<u64>();
    let clips = format::plural(sum(|record| record.clips), "clip");
    let shards = format::plural(records.len() as u64, "shard");
    let size = format::byte_count(sum(|record| record.bytes));
    writeln!(out, "set     {clips} of {} s, {shards}, {size}", recipe.duration)?;
    let (replaced, skipped) = (sum(|record| record.replaced), sum(|record| record.skipped));
    if replaced > 0 {
        writeln!(out, "draws   {replaced} could not be simulated and were replaced")?;
    }
    if skipped > 0 {
        writeln!(out, "clips   {skipped} could not be simulated and were left out")?;
    }
    Ok(())
}

/// Draws, compiles and runs all clips and reads their pickups, keeps nothing, and prints how long that takes.
fn measure_engine(recipe: &Recipe) -> Result<()> {
    let progress = ClipProgress::new(recipe.clips);
    let start = Instant::now();
    (0..recipe.clips).into_par_iter().try_for_each(|clip| {
        if let Some(mut drawn) = recipe.draw(clip)? {
            let mixer = ChannelMixer::new(&drawn.scene, drawn.scene.channels());
            let mut samples = Vec::with_capacity(recipe.samples() * mixer.channels());
            for _ in 0..recipe.samples() {
                drawn.simulation.step();
                samples.extend(mixer.frame(&drawn.simulation));
            }
        }
        progress.advance();
        Ok::<_, DataError>(())
    })?;
    drop(progress);
    writeln!(io::stdout(), "engine  {}", throughput(recipe.clips, recipe, start))?;
    Ok(())
}
