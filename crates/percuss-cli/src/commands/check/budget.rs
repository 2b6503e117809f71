//! The work that `percuss check` spends, so that it answers within a second for any scene.
//!
//! Unit      about one floating-point operation; a second does 3 to 5 billion
//! Build     per line n_I intervals and its modes; per plate N nodes on a grid, for every touch again, or 5·M³ for M modes by Weyl's
//!           law, up to the engine's own limit of 6e8 (a quarter of a second), and N·M² for their shapes on a grid; per body m²·n for
//!           m contacts of n nodes each
//! Pitch     per grid N·(b² + 900·b + 2e5) for a bandwidth b: Cholesky within the envelope, 450 vectors of Lanczos. The correction of
//!           a grid's pitch couples all of its nodes: b = N
//! Dry run   per step four times its nodes, and per block of m contacts 64·m where they lie along a line, else m². One step that
//!           factorises full blocks takes m³: if that is too much, none is run

use percuss::{Bar, Element, Law, Method, Outline, Plate, Profile, Simulation, StiffString};
use percuss_scene::Scene;
use std::f64::consts::PI;

/// Work to build the simulation and to find pitches.
pub const MAX_BUILD_WORK: f64 = 2.35e9;
/// Work of the dry run.
pub const MAX_RUN_WORK: f64 = 1.5e9;
/// Work of the modes of a plate that the engine itself allows.
pub const MAX_MODES_WORK: f64 = 6e8;
/// Work per node of a grid that is built, and per interval of a string or bar.
const NODE_WORK: f64 = 200.0;
const DISC_NODE_WORK: f64 = 600.0;
const LINE_WORK: f64 = 2000.0;
/// Work per touch, and per node and touch.
const TOUCH_WORK: f64 = 1e6;
const NODE_TOUCH_WORK: f64 = 100.0;
/// Work per pair of contacts that share a node, and per pair of an element and a contact.
const PAIR_WORK: f64 = 200.0;
const SEARCH_WORK: f64 = 10.0;
/// Work per bar with a profile.
const PROFILE_WORK: f64 = 2e7;
/// Work per place on a plate, and per pair of its modes; more modes are not found.
const PLACE_WORK: f64 = 10.0;
const MAX_PLACE_MODES: f64 = 500.0;
/// The same for the nodes of a grid, which are many.
const SHAPE_WORK: f64 = 2.0;
/// Work of one step that may be too much.
const MAX_STEP_WORK: f64 = 3e8;
/// Nodes up to which the engine may correct the pitch of a grid.
const MAX_CORRECTED_NODES: usize = 1100;

/// Work that is left.
#[derive(Clone, Copy, Debug)]
pub struct Budget {
    left: f64,
}

impl Budget {
    /// A budget of `work`.
    pub fn new(work: f64) -> Self {
        Self { left: work }
    }

    /// Spends `work`, if as much is left; returns whether it is.
    pub fn spend(&mut self, work: f64) -> bool {
        let is_left = work <= self.left;
        if is_left {
            self.left -= work;
        }
        is_left
    }
}

/// Largest number of nodes that an element may have at a rate \[Hz\], as far as it is known before it is built.
pub fn node_estimate(element: &Element, rate: f64) -> f64 {
    match element {
        Element::Mass(_) | Element::Mallet(_) | Element::Barrier(_) => 1.0,
        Element::Modal(modal) => modal.modes.len() as f64,
        Element::String(string) => line_intervals(&Line::of_string(string), rate),
        Element::Bar(bar) => line_intervals(&Line::of_bar(bar), rate),
        Element::Plate(plate) => plate_nodes(plate, rate),
    }
}

/// Work to build the simulation of a scene.
pub fn build_work(scene: &Scene, rate: f64) -> f64 {
    let elements = scene.model.elements().iter().map(|element| match element {
        Element::Bar(bar) if bar.profile != Profile::Uniform => PROFILE_WORK,
        Element::Plate(plate) => {
            let per_node = if plate.outline == Outline::Disc { DISC_NODE_WORK } else { NODE_WORK };
            let touches = plate.touches.len() as f64;
            let grid = (per_node + NODE_TOUCH_WORK * touches) * plate_nodes(plate, rate) + TOUCH_WORK * touches;
            grid.max(plate_modes_work(plate, rate))
        }
        line => LINE_WORK * node_estimate(line, rate),
    });
    let users = scene.model.interactions().len() + scene.model.exciters().len();
    let searched = SEARCH_WORK * users as f64 * scene.model.elements().len() as f64;
    elements.sum::<f64>()
        + searched
        + coupling_work(scene, rate)
        + places_work(scene, rate)
        + stretching_work(scene, rate)
}

/// Work to find how bending stretches plates: modes of discs, and edges of rectangles.
fn stretching_work(scene: &Scene, rate: f64) -> f64 {
    const MODES_PER_NODE: f64 = 0.12;
    const MODE_VALUE_WORK: f64 = 60.0;
    let work = |plate: &Plate| {
        let Ok(grid) = plate.grid_at(rate) else { return 0.0 };
        let [nx, ny] = grid.intervals.map(|count| count as f64);
        match plate.outline {
            Outline::Rectangle => 0.5 * (nx + ny).powi(2) * nx * ny,
            Outline::Disc => {
                let modes = MODES_PER_NODE * nx * ny;
                (5.0 * modes.powi(3)).min(MAX_MODES_WORK) + 0.25 * MODE_VALUE_WORK * modes * nx * ny
            }
        }
    };
    stretched_plates(scene).map(work).sum()
}

/// Plates that are stretched by bending.
fn stretched_plates(scene: &Scene) -> impl Iterator<Item = &Plate> {
    let stretched = scene.model.interactions().iter().filter(|interaction| interaction.law == Law::VonKarman);
    stretched.filter_map(|interaction| match &scene.model.elements()[interaction.below.element.index()] {
        Element::Plate(plate) => Some(plate),
        Element::Mass(_)
        | Element::Mallet(_)
        | Element::Barrier(_)
        | Element::Modal(_)
        | Element::String(_)
        | Element::Bar(_) => None,
    })
}

/// Work to find the modes of a plate, and their shapes on a grid that they correct.
fn plate_modes_work(plate: &Plate, rate: f64) -> f64 {
    if plate.method != Method::Modes {
        return 0.0;
    }
    let modes = mode_count(plate, rate);
    let nodes = plate.grid_at(rate).map_or(0, |grid| grid.intervals[0] * grid.intervals[1]).min(MAX_CORRECTED_NODES);
    // The shapes of discs are products of functions of one variable.
    let per_node = if plate.outline == Outline::Disc { modes } else { modes.min(MAX_PLACE_MODES).powi(2) };
    (5.0 * modes.powi(3)).min(MAX_MODES_WORK) + SHAPE_WORK * nodes as f64 * per_node
}

/// Work to find the shapes of the modes of plates where something is read or acts.
fn places_work(scene: &Scene, rate: f64) -> f64 {
    let places = scene.outputs.len() + scene.probes.len() + scene.model.exciters().len();
    let modes = scene.model.elements().iter().map(|element| match element {
        Element::Plate(plate) => mode_count(plate, rate).min(MAX_PLACE_MODES),
        _ => 0.0,
    });
    PLACE_WORK * modes.fold(0.0, f64::max).powi(2) * places as f64
}

/// Work to find which contacts share nodes.
fn coupling_work(scene: &Scene, rate: f64) -> f64 {
    let elements = scene.model.elements();
    let mut contacts = vec![0.0; elements.len()];
    for contact in scene.model.interactions().iter().filter(|contact| !contact.distributed) {
        let ends = [Some(contact.below.element), contact.above.map(|above| above.element)];
        ends.into_iter().flatten().for_each(|end| contacts[end.index()] += 1.0);
    }
    let of_body = |(element, contacts): (&Element, f64)| {
        let nodes = match element {
            Element::Modal(_) => node_estimate(element, rate),
            Element::Mass(_) | Element::Mallet(_) | Element::Barrier(_) => 1.0,
            _ => 4.0,
        };
        PAIR_WORK * contacts * contacts * nodes
    };
    elements.iter().zip(contacts).map(of_body).sum()
}

/// Work to find the pitch of a body on a grid of `nodes` nodes, `across` of them along its shorter side.
pub fn pitch_work(nodes: usize, across: usize) -> f64 {
    let bandwidth = 2.0 * across as f64;
    nodes as f64 * (bandwidth * bandwidth + 900.0 * bandwidth + 2e5)
}

/// The same for a plate or membrane on its grid.
pub fn plate_pitch_work(plate: &Plate, [nx, ny]: [usize; 2], rate: f64) -> f64 {
    let filled = if plate.outline == Outline::Disc { PI / 4.0 } else { 1.0 };
    let nodes = (filled * (nx * ny) as f64) as usize;
    let is_corrected = nodes <= MAX_CORRECTED_NODES && plate.method == Method::Modes && plate.grid.is_none();
    plate_modes_work(plate, rate) + pitch_work(nodes, if is_corrected { nodes / 2 } else { nx.min(ny) })
}

/// Work of one step.
pub fn step_work(scene: &Scene, sim: &Simulation) -> f64 {
    let along_lines = scene.model.interactions().iter().any(|interaction| interaction.distributed);
    let block = |rows: usize| rows as f64 * if along_lines { 64.0 } else { rows as f64 };
    let stretching = |plate: &Plate| {
        let [nx, ny] = plate.grid_at(1.0 / sim.time_step()).map_or([0.0; 2], |grid| grid.intervals.map(|n| n as f64));
        nx * ny * (60.0 + 2.0 * (nx + ny))
    };
    let stretching = stretched_plates(scene).map(stretching).sum::<f64>();
    4.0 * sim.node_count() as f64 + sim.contact_blocks().map(block).sum::<f64>() + stretching
}

/// Steps of a dry run, of `wanted`.
pub fn dry_run_steps(scene: &Scene, sim: &Simulation, wanted: u64) -> u64 {
    if largest_step_work(scene, sim) > MAX_STEP_WORK {
        0
    } else {
        wanted.min((MAX_RUN_WORK / step_work(scene, sim)) as u64)
    }
}

/// Work of a step that factorises all blocks as full matrices, but for contacts along lines.
pub fn largest_step_work(scene: &Scene, sim: &Simulation) -> f64 {
    let full = scene.model.interactions().iter().filter(|interaction| !interaction.distributed).count() as f64;
    let block = |rows: usize| rows as f64 * (rows as f64).min(8.0 * (1.0 + full)).powi(2);
    step_work(scene, sim) + sim.contact_blocks().map(block).sum::<f64>()
}

/// What determines the grid of a string or bar.
struct Line {
    length: f64,
    /// c² = T/ρA and κ² = EI/ρA \[m²/s², m⁴/s²\].
    tension: f64,
    bending: f64,
    sigma1: f64,
    grid: Option<usize>,
}

impl Line {
    fn of_string(string: &StiffString) -> Self {
        let area = PI * string.radius.powi(2);
        Self {
            length: string.length,
            tension: string.tension / (string.density * area),
            bending: string.youngs_modulus * string.radius.powi(2) / (4.0 * string.density),
            sigma1: string.sigma1,
            grid: string.grid,
        }
    }

    fn of_bar(bar: &Bar) -> Self {
        let bending = bar.youngs_modulus * bar.thickness.powi(2) / (12.0 * bar.density);
        Self { length: bar.length, tension: 0.0, bending, sigma1: bar.sigma1, grid: bar.grid }
    }
}

/// Intervals of the finest stable grid, h² = ½(a + √(a² + 16κ²k²)) with a = c²k² + 4σ₁k, or of one for looking at.
fn line_intervals(line: &Line, rate: f64) -> f64 {
    const VIEW_INTERVALS: f64 = 1000.0;
    let k = 1.0 / rate;
    let a = line.tension * k * k + 4.0 * line.sigma1 * k;
    let least_spacing = (0.5 * (a + (a * a + 16.0 * line.bending * k * k).sqrt())).sqrt();
    let finest = line.length / least_spacing;
    line.grid.map_or(finest, |grid| grid as f64).max(VIEW_INTERVALS) + 1.0
}

fn plate_nodes(plate: &Plate, rate: f64) -> f64 {
    /// Of a grid for looking at, and of what is added to rows for vectors, relative to a narrow grid.
    const VIEW_NODES: f64 = 4000.0;
    const PADDING: f64 = 24.0;
    // An invalid grid is reported by `compile`, before it is built.
    let Ok(grid) = plate.grid_at(rate) else { return 0.0 };
    let [nx, ny] = grid.intervals.map(|count| count as f64);
    ((nx + PADDING) * (ny + PADDING)).max(VIEW_NODES)
}

/// Modes below the Nyquist frequency, by Weyl's law.
fn mode_count(plate: &Plate, rate: f64) -> f64 {
    let omega = PI * rate;
    let surface_density = plate.density * plate.thickness;
    let bending = plate.youngs_modulus * plate.thickness.powi(3)
        / (12.0 * (1.0 - plate.poisson * plate.poisson) * surface_density);
    let tension = plate.tension / surface_density;
    let squared = 2.0 * omega * omega / (tension + (tension * tension + 4.0 * bending * omega * omega).sqrt());
    let filled = if plate.outline == Outline::Disc { PI / 4.0 } else { 1.0 };
    squared * plate.size[0] * plate.size[1] * filled / (4.0 * PI)
}

/// Whether contacts of a law press at the start only where that is meant.
pub fn is_contact(law: &Law) -> bool {
    matches!(law, Law::Collision(_) | Law::Connection(_) | Law::Custom(_))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::harness;
    use percuss_scene::parse;

    /// Work that `check` spends on a scene; also asserts that the estimates before building bound what is built.
    #[track_caller]
    fn spent_work(scene: &Scene, name: &str) -> f64 {
        let rate = scene.sample_rate;
        let mut budget = Budget::new(MAX_BUILD_WORK);
        let build = build_work(scene, rate);
        if !budget.spend(build) {
            return 0.0;
        }
        let Ok(sim) = scene.compile(rate) else { return build };
        let estimate: f64 = scene.model.elements().iter().map(|element| node_estimate(element, rate)).sum();
        // Modes of a body and rows of vectors are nodes, too.
        let modes: usize = scene.model.element_ids().filter_map(|id| sim.mode_count(id)).sum();
        let bound = estimate + modes as f64 + 64.0 * (1.0 + scene.model.elements().len() as f64);
        assert!((sim.node_count() as f64) <= bound, "{name}: {} nodes, estimated {bound}", sim.node_count());
        build + dry_run_steps(scene, &sim, u64::MAX / 2) as f64 * step_work(scene, &sim)
    }

    #[test]
    fn work_on_random_scenes_is_bounded() {
        let folder = std::env::temp_dir().join("percuss-check-budget");
        harness::files::write(&folder).unwrap();
        let mut counted = 0;
        for index in 0..200 {
            let text = harness::generate::generate_scene(21, index).to_string();
            let Ok(scene) = parse(&text, &folder.join("scene.toml").display().to_string()) else { continue };
            let work = spent_work(&scene, &format!("scene {index}"));
            assert!(work <= MAX_BUILD_WORK + MAX_RUN_WORK, "scene {index}: {work:e}");
            counted += 1;
        }
        assert!(counted > 100, "{counted} scenes");
    }

    #[test]
    fn work_on_absurd_scenes_is_bounded() {
        let plate = |id: usize, size: f64, more: &str| {
            format!("[[plate]]\nid = \"p{id}\"\nsize = [{size}, {size}]\nthickness = 1e-4\n{more}\n")
        };
        let string = |id: usize| {
            format!("[[string]]\nid = \"s{id}\"\nlength = 100\nradius = 1e-3\ntension = 1\nmethod = \"grid\"\n")
        };
        let fast = "[scene]\nsample_rate = 768000\n";
        for (name, text) in [
            ("a plate of 100 m", plate(0, 100.0, "")),
            ("a hundred free plates", (0..100).map(|id| plate(id, 0.05, "")).collect()),
            ("a fine grid", plate(0, 1.0, "grid = [4000, 4000]")),
            ("long strings at a high rate", fast.to_owned() + &(0..300).map(string).collect::<String>()),
        ] {
            let scene = parse(&text, name).unwrap_or_else(|errors| panic!("{name}: {errors:?}"));
            let work = spent_work(&scene, name);
            assert!(work <= MAX_BUILD_WORK + MAX_RUN_WORK, "{name}: {work:e}");
        }
    }

    #[test]
    fn budget_is_not_overdrawn() {
        let mut budget = Budget::new(10.0);
        assert!(budget.spend(6.0) && !budget.spend(5.0) && budget.spend(4.0) && !budget.spend(1e-9));
    }
}
