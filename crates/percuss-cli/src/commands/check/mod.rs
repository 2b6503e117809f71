//! `percuss check`: grids, contact times and cost of a scene at a sample rate, from a dry run of up to a second.
//!
//! What it spends is limited ([`budget`]): it answers within about a second for any scene.

mod budget;
mod pitch_table;
mod warnings;

use crate::args::CheckArgs;
use crate::error::Result;
use crate::format::{four_digits, plural, si, table};
use crate::loaded_scene::LoadedScene;
use crate::render::bows_and_fingers::{bow_and_finger_table, is_bow_or_finger};
use crate::render::report::{self, GridReport};
use crate::render::short_contacts::{mean_contact, shortest_contact, warn_about_short_contacts};
use budget::Budget;
use percuss::{ContactAccount, Element, Law, PlateGrid, Simulation};
use percuss_scene::{Scene, Tuning};
use pitch_table::PitchErrors;
use std::collections::BTreeMap;
use std::io::{self, Write};
use std::time::{Duration, Instant};

/// Longest dry run, in simulated time \[s\] and in wall-clock time, beside its limit of work.
const MAX_SIMULATED: f64 = 1.0;
const MAX_RUN_TIME: Duration = Duration::from_millis(400);
/// When it ends at the latest, and how long it may take in any case.
const MAX_WALL_TIME: Duration = Duration::from_millis(600);
const MIN_RUN_TIME: Duration = Duration::from_millis(50);
/// Most work between two readings of the clock.
const MAX_BATCH_WORK: f64 = 1e7;
/// Number of nodes above which a grid gets a warning before it is built, and approximate memory per node \[bytes\].
const LARGE_GRID_NODES: f64 = 1e6;
const BYTES_PER_NODE: f64 = 50.0;

/// Checks a scene.
pub fn run(args: &CheckArgs) -> Result<()> {
    let start = Instant::now();
    let LoadedScene { scene, .. } = LoadedScene::open_for_short_run(&args.scene)?;
    let oversample = scene.rendering.oversample;
    let rate = args.rate.unwrap_or(scene.sample_rate) * f64::from(oversample);
    warn_about_large_grids(&scene, rate)?;
    let mut out = io::stdout().lock();
    let scheme = report::scheme_name(scene.model.scheme);
    writeln!(out, "{}: {} at {rate} Hz, scheme {scheme}\n", scene.name, duration_text(&scene))?;
    let mut budget = Budget::new(budget::MAX_BUILD_WORK);
    if !scene.untuned.is_empty() || !budget.spend(budget::build_work(&scene, rate)) {
        writeln!(out, "too large to be built within a second: it was read without errors, and not examined further")?;
        return Ok(out.flush()?);
    }
    let mut sim = scene.compile(rate)?;
    sim.open_ledger();
    let grids = report::grids(&scene, &sim);
    warnings::print(&scene, &sim, &grids)?;
    let pitch = PitchErrors::new(&scene, &sim, rate, &mut budget);
    let run_time = MAX_WALL_TIME.saturating_sub(start.elapsed()).clamp(MIN_RUN_TIME, MAX_RUN_TIME);
    let dry_run = DryRun::new(&scene, &mut sim, rate, run_time);
    writeln!(out, "{}", element_table(&scene, &grids))?;
    let ledger = sim.ledger().map(|ledger| ledger.interactions.as_slice()).unwrap_or_default();
    let sections = [
        tuning_table(&scene.tunings),
        pitch.table(),
        contact_table(&scene, &sim),
        bow_and_finger_table(&scene, ledger),
    ];
    for section in sections.into_iter().flatten() {
        writeln!(out, "{section}")?;
    }
    if !scene.interaction_names.is_empty() {
        writeln!(out, "contact blocks   {}", block_sizes(&sim))?;
    }
    writeln!(out, "nodes            {}", sim.node_count())?;
    write!(out, "{}", dry_run.text(rate))?;
    out.flush()?;
    pitch.warn()?;
    warn_about_short_contacts(&scene, ledger, rate, oversample)
}

fn duration_text(scene: &Scene) -> String {
    if scene.rendering.until_silent {
        format!("until silent, at most {} s,", scene.duration)
    } else {
        format!("{} s", scene.duration)
    }
}

/// A run of up to a second, with the ledger open.
struct DryRun {
    wanted: u64,
    steps: u64,
    nanoseconds_per_step: f64,
}

impl DryRun {
    /// Runs as many steps as the budget and the clock allow.
    fn new(scene: &Scene, sim: &mut Simulation, rate: f64, longest: Duration) -> Self {
        let wanted = (scene.duration.min(MAX_SIMULATED) * rate).ceil().max(1.0) as u64;
        let with_surfaces = (scene.surfaces_until * rate) as u64;
        let steps = budget::dry_run_steps(scene, sim, wanted.min(with_surfaces));
        let batch = (MAX_BATCH_WORK / budget::largest_step_work(scene, sim)).max(1.0) as u64;
        let start = Instant::now();
        while sim.steps() < steps && start.elapsed() < longest {
            (0..batch.min(steps - sim.steps())).for_each(|_| sim.step());
        }
        let nanoseconds_per_step = start.elapsed().as_secs_f64() * 1e9 / sim.steps().max(1) as f64;
        Self { wanted, steps: sim.steps(), nanoseconds_per_step }
    }

    /// Cost per sample, and the part that ran if it is not all.
    fn text(&self, rate: f64) -> String {
        let nanoseconds = self.nanoseconds_per_step;
        let cost = match self.steps {
            0 => "cost             unknown: a step of it is too large for a dry run\n".into(),
            _ => {
                let speed = four_digits(1e9 / (nanoseconds * rate));
                format!("cost             {nanoseconds:.0} ns per sample with the ledger open, {speed}× real time\n")
            }
        };
        if self.steps == self.wanted {
            return cost;
        }
        let (ran, limit) = (plural(self.steps, "sample"), MAX_RUN_TIME.as_millis());
        format!(
            "{cost}dry run          the first {ran} of {}: it ends after {limit} ms, or sooner where the scene is large\n",
            self.wanted
        )
    }
}

/// Warns about large grids before they are built.
fn warn_about_large_grids(scene: &Scene, rate: f64) -> Result<()> {
    for (id, element) in scene.element_names.iter().zip(scene.model.elements()) {
        let Element::Plate(plate) = element else { continue };
        // An invalid grid is reported by `compile`.
        let Ok(PlateGrid { intervals: [nx, ny], .. }) = plate.grid_at(rate) else { continue };
        let nodes = nx as f64 * ny as f64;
        if nodes > LARGE_GRID_NODES {
            let mut out = io::stderr();
            let (millions, memory) = (four_digits(nodes / 1e6), four_digits(nodes * BYTES_PER_NODE / 1e9));
            writeln!(out, "warning: {id}: a grid of {nx} × {ny} at {rate} Hz: {millions} million nodes, {memory} GB")?;
            writeln!(out, "  hint: lower --rate, or give it a coarser grid = [N, M]")?;
        }
    }
    Ok(())
}

fn element_table(scene: &Scene, grids: &[GridReport]) -> String {
    let parts = scene.element_names.iter().zip(scene.model.elements()).enumerate();
    let rows = parts.zip(grids).map(|((index, (id, element)), grid)| {
        let mut row = vec![id.clone(), scene.element_kind(index).to_string()];
        match *grid {
            GridReport::Modes { modes } => row.push(plural(modes as u64, "mode")),
            GridReport::Line { intervals, spacing, least_spacing } => row.extend([
                plural(intervals as u64, "interval"),
                si(spacing, "m"),
                format!("{:.4}", spacing / least_spacing),
            ]),
            GridReport::Plate { intervals: [nx, ny], spacing, least_spacing, size } => {
                row.extend([
                    format!("{nx} × {ny} intervals"),
                    si(spacing, "m"),
                    format!("{:.4}", spacing / least_spacing),
                ]);
                row.extend(actual_size(element, size));
            }
            GridReport::Nodes { nodes: 0 } => row.push("does not move".into()),
            GridReport::Nodes { nodes } => row.push(plural(nodes as u64, "node")),
        }
        row
    });
    let rows: Vec<Vec<String>> = rows.collect();
    // Only the columns in use.
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let head =
        ["element", "kind", "grid", "spacing", "h/h_min", "actual size"][..columns].iter().map(ToString::to_string);
    table(&std::iter::once(head.collect()).chain(rows).collect::<Vec<_>>())
}

/// Size of a plate with a whole number of square cells, if it differs from the size in the scene.
fn actual_size(element: &Element, size: [f64; 2]) -> Option<String> {
    let Element::Plate(plate) = element else { return None };
    let differs = size.iter().zip(plate.size).any(|(actual, given)| (actual / given - 1.0).abs() > 1e-9);
    differs.then(|| format!("{} × {}", si(size[0], "m"), si(size[1], "m")))
}

/// Dimensions that follow from a pitch.
fn tuning_table(tunings: &[Tuning]) -> Option<String> {
    let head = ["tuned", "to", "by"].map(String::from).to_vec();
    let row = |tuning: &Tuning| {
        let value = si(tuning.value, tuning.unit);
        vec![tuning.element.clone(), tuning.pitch.clone(), format!("{} = {value}", tuning.field)]
    };
    let rows: Vec<Vec<String>> = std::iter::once(head).chain(tunings.iter().map(row)).collect();
    (!tunings.is_empty()).then(|| table(&rows))
}

fn contact_table(scene: &Scene, sim: &Simulation) -> Option<String> {
    let header = ["contact", "kind", "hits", "mean contact", "shortest"].map(String::from).to_vec();
    let contacts = contact_accounts(scene, sim).filter(|(_, law, _)| !is_bow_or_finger(law));
    let rows = contacts.map(|(id, law, account)| {
        let mut row = vec![id.to_string(), law.kind().to_string()];
        if account.hits == 0 {
            let ran = sim.steps() as f64 * sim.time_step();
            let duration = if ran >= MAX_SIMULATED { "first second".into() } else { format!("first {}", si(ran, "s")) };
            row.extend(["0".into(), "–".into(), format!("no contact within the {duration}")]);
        } else {
            row.push(account.hits.to_string());
            row.extend(contact_lengths(law, account));
        }
        row
    });
    let rows: Vec<Vec<String>> = rows.collect();
    (!rows.is_empty()).then(|| table(&std::iter::once(header).chain(rows).collect::<Vec<_>>()))
}

/// Mean and shortest contact, where they are known: felt has no closed form of its contact time, nor has what is pressed from the start.
fn contact_lengths(law: &Law, account: &ContactAccount) -> [String; 2] {
    let samples = |count: f64| format!("{} samples", four_digits(count));
    if is_always_closed(law) {
        return ["always closed".into(), "–".into()];
    }
    match shortest_contact(account) {
        Some(shortest) => [samples(mean_contact(account)), samples(shortest)],
        None => [samples(account.contact_steps as f64 / account.hits as f64), "–".into()],
    }
}

/// Whether a law pulls as well as it pushes, at any distance.
fn is_always_closed(law: &Law) -> bool {
    match law {
        Law::Spring(_) | Law::Damper(_) | Law::Cavity(_) | Law::TensionModulation | Law::VonKarman => true,
        Law::Connection(connection) => connection.gap == 0.0,
        Law::Collision(_) | Law::Bow(_) | Law::Finger(_) | Law::Custom(_) => false,
    }
}

fn contact_accounts<'a>(
    scene: &'a Scene,
    sim: &'a Simulation,
) -> impl Iterator<Item = (&'a str, &'a Law, &'a ContactAccount)> {
    let accounts = sim.ledger().map(|ledger| ledger.interactions.as_slice()).unwrap_or_default();
    let named = scene.interaction_names.iter().zip(scene.model.interactions());
    named.zip(accounts).map(|((id, interaction), account)| (id.as_str(), &interaction.law, account))
}

/// Number of contact blocks of each size, as in `2 blocks of 1 row, 1 block of 40 rows`.
fn block_sizes(sim: &Simulation) -> String {
    let mut counts = BTreeMap::new();
    for size in sim.contact_blocks() {
        *counts.entry(size).or_insert(0_u64) += 1;
    }
    let parts: Vec<String> = counts
        .iter()
        .map(|(&size, &count)| format!("{} of {}", plural(count, "block"), plural(size as u64, "row")))
        .collect();
    parts.join(", ")
}
