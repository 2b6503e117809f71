//! `percuss check`: what a scene amounts to at a sample rate, from a dry run of up to a second.

use crate::args::CheckArgs;
use crate::failure::Result;
use crate::format::{digits, plural, si, table};
use crate::render::hands::{hands, is_hand};
use crate::render::report::{self, GridReport};
use crate::render::warnings::{mean_contact, shortest_contact, warn_of_short_contacts};
use crate::source::Source;
use percuss::{ContactAccount, Element, Law, PlateGrid, Simulation};
use percuss_scene::Scene;
use std::collections::BTreeMap;
use std::io::{self, Write};
use std::time::{Duration, Instant};

/// Longest dry run, in the time of the scene \[s\] and in that of the user.
const DRY_RUN: f64 = 1.0;
const PATIENCE: Duration = Duration::from_secs(2);
/// Most steps between two looks at the clock, and longest time between them.
const STRETCH: u64 = 1024;
const GLANCE: Duration = Duration::from_millis(20);
/// Grids with more nodes than this are warned of before they are built, and about how much memory a node takes \[bytes\].
const LARGE: f64 = 1e6;
const PER_NODE: f64 = 50.0;

/// Checks a scene.
pub fn run(args: &CheckArgs) -> Result<()> {
    let Source { scene, .. } = Source::open(Some(&args.scene))?;
    let rate = args.rate.unwrap_or(scene.sample_rate);
    warn_of_large_grids(&scene, rate)?;
    let mut sim = scene.compile(rate)?;
    let steps = (scene.duration.min(DRY_RUN) * rate).ceil().max(1.0) as u64;
    let nanoseconds = dry_run(&mut sim, steps);
    let mut out = io::stdout().lock();
    let scheme = report::scheme_name(scene.model.scheme);
    writeln!(out, "{}: {} s at {rate} Hz, scheme {scheme}\n", scene.name, scene.duration)?;
    writeln!(out, "{}", elements(&scene, &sim))?;
    let ledger = sim.ledger().map(|ledger| ledger.interactions.as_slice()).unwrap_or_default();
    for section in [contacts(&scene, &sim), hands(&scene, ledger)].into_iter().flatten() {
        writeln!(out, "{section}")?;
    }
    if !scene.interaction_names.is_empty() {
        writeln!(out, "solved together  {}", blocks(&sim))?;
    }
    writeln!(out, "moving values    {}", sim.node_count())?;
    let speed = digits(1e9 / (nanoseconds * rate));
    writeln!(out, "cost             {nanoseconds:.0} ns per sample with the ledger open, {speed}× real time")?;
    if sim.steps() < steps {
        let (ran, patience) = (plural(sim.steps(), "sample"), PATIENCE.as_secs());
        writeln!(out, "dry run          the first {ran} of {steps}: it ends after {patience} s")?;
    }
    out.flush()?;
    warn_of_short_contacts(&scene, ledger, rate, 1)
}

/// Runs so many steps with the ledger open, or what is done of them in a while; returns nanoseconds per step.
fn dry_run(sim: &mut Simulation, steps: u64) -> f64 {
    sim.open_ledger();
    let start = Instant::now();
    let mut stretch = 1;
    while sim.steps() < steps && start.elapsed() < PATIENCE {
        let glance = Instant::now();
        for _ in 0..stretch.min(steps - sim.steps()) {
            sim.step();
        }
        if glance.elapsed() < GLANCE && stretch < STRETCH {
            stretch *= 2;
        }
    }
    start.elapsed().as_secs_f64() * 1e9 / sim.steps() as f64
}

/// Tells of grids that take long to build, before they are.
fn warn_of_large_grids(scene: &Scene, rate: f64) -> Result<()> {
    for (id, element) in scene.element_names.iter().zip(scene.model.elements()) {
        let Element::Plate(plate) = element else { continue };
        // What the engine refuses, it refuses in words of its own.
        let Ok(PlateGrid { intervals: [across, up], .. }) = plate.grid_at(rate) else { continue };
        let nodes = across as f64 * up as f64;
        if nodes > LARGE {
            let mut out = io::stderr();
            let (millions, memory) = (digits(nodes / 1e6), digits(nodes * PER_NODE / 1e9));
            writeln!(
                out,
                "warning: {id}: a grid of {across} × {up} at {rate} Hz: {millions} million nodes, {memory} GB"
            )?;
            writeln!(out, "  hint: lower --rate, or give it a coarser grid = [N, M]")?;
        }
    }
    Ok(())
}

fn elements(scene: &Scene, sim: &Simulation) -> String {
    let grids = report::grids(scene, sim);
    let parts = scene.element_names.iter().zip(scene.model.elements());
    let rows = parts.zip(grids).map(|((id, element), grid)| {
        let mut row = vec![id.clone(), element.kind().to_string()];
        match grid {
            GridReport::Line { intervals, spacing, least_spacing } => row.extend([
                plural(intervals as u64, "interval"),
                si(spacing, "m"),
                format!("{:.4}", spacing / least_spacing),
            ]),
            GridReport::Plate { intervals: [across, up], spacing, least_spacing, size } => {
                row.extend([
                    format!("{across} × {up} intervals"),
                    si(spacing, "m"),
                    format!("{:.4}", spacing / least_spacing),
                ]);
                row.extend(true_size(element, size));
            }
            GridReport::Nodes { nodes: 0 } => row.push("does not move".into()),
            GridReport::Nodes { nodes } => row.push(plural(nodes as u64, "node")),
        }
        row
    });
    let rows: Vec<Vec<String>> = rows.collect();
    // Only the columns that are in use.
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let head =
        ["element", "kind", "grid", "spacing", "h/h_min", "true size"][..columns].iter().map(ToString::to_string);
    table(&std::iter::once(head.collect()).chain(rows).collect::<Vec<_>>())
}

/// The size a plate's square cells give it, where that is not the one asked for.
fn true_size(element: &Element, size: [f64; 2]) -> Option<String> {
    let Element::Plate(plate) = element else { return None };
    let differs = size.iter().zip(plate.size).any(|(is, asked)| (is / asked - 1.0).abs() > 1e-9);
    differs.then(|| format!("{} × {}", si(size[0], "m"), si(size[1], "m")))
}

fn contacts(scene: &Scene, sim: &Simulation) -> Option<String> {
    let head = ["contact", "kind", "hits", "mean contact", "shortest"].map(String::from).to_vec();
    let contacts = accounts(scene, sim).filter(|(_, law, _)| !is_hand(law));
    let rows = contacts.map(|(id, law, account)| {
        let mut row = vec![id.to_string(), law.kind().to_string()];
        if account.hits == 0 {
            let ran = sim.steps() as f64 * sim.time_step();
            let stretch = if ran >= DRY_RUN { "first second".into() } else { format!("first {}", si(ran, "s")) };
            row.extend(["0".into(), "–".into(), format!("no contact within the {stretch}")]);
        } else {
            let shortest = shortest_contact(account);
            row.extend([
                account.hits.to_string(),
                format!("{} samples", digits(mean_contact(account))),
                shortest.map_or("still in contact".into(), |samples| format!("{} samples", digits(samples))),
            ]);
        }
        row
    });
    let rows: Vec<Vec<String>> = rows.collect();
    (!rows.is_empty()).then(|| table(&std::iter::once(head).chain(rows).collect::<Vec<_>>()))
}

fn accounts<'a>(scene: &'a Scene, sim: &'a Simulation) -> impl Iterator<Item = (&'a str, &'a Law, &'a ContactAccount)> {
    let accounts = sim.ledger().map(|ledger| ledger.interactions.as_slice()).unwrap_or_default();
    let named = scene.interaction_names.iter().zip(scene.model.interactions());
    named.zip(accounts).map(|((id, interaction), account)| (id.as_str(), &interaction.law, account))
}

/// `2 × 1, 1 × 40 contact points`: how many blocks there are of each size.
fn blocks(sim: &Simulation) -> String {
    let mut counts = BTreeMap::new();
    for size in sim.contact_blocks() {
        *counts.entry(size).or_insert(0_u64) += 1;
    }
    let parts: Vec<String> = counts
        .iter()
        .map(|(&size, &count)| format!("{} of {}", plural(count, "block"), plural(size as u64, "contact point")))
        .collect();
    parts.join(", ")
}
