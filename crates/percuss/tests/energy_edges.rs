//! Energy: plates with every combination of edges and 4 to 60 intervals each way. How many nodes a row has decides how
//! they are laid out in vectors, and which way they are stepped and summed.

use percuss::*;

const EDGES: [Edge; 4] = [Edge::SimplySupported, Edge::Clamped, Edge::Free, Edge::FreeFullCell];
const RATE: f64 = 44_100.0;
const SPACING: f64 = 0.02;
const STEPS: usize = 10;
const WHOLE: std::ops::RangeInclusive<usize> = 4..=60;

/// What resists: bending, bending and tension, tension alone.
#[derive(Clone, Copy, Debug)]
enum SurfaceKind {
    Plate,
    Tense,
    Membrane,
}

const KINDS: [SurfaceKind; 3] = [SurfaceKind::Plate, SurfaceKind::Tense, SurfaceKind::Membrane];

/// Energy stored and dissipated, and the residual, each as a share of the most energy there was.
#[derive(Clone, Copy, Debug)]
struct EnergyShares {
    stored: f64,
    dissipated: f64,
    residual: f64,
}

fn plate(kind: SurfaceKind, intervals: [usize; 2], edges: [Edge; 4]) -> Plate {
    let size = intervals.map(|count| SPACING * count as f64);
    let steel = Plate { grid: Some(intervals), edges, sigma0: 3.0, sigma1: 2e-3, ..Plate::steel(size, 1e-3) };
    match kind {
        SurfaceKind::Plate => steel,
        SurfaceKind::Tense => Plate { tension: 2000.0, ..steel },
        SurfaceKind::Membrane => Plate { youngs_modulus: 0.0, tension: 2000.0, ..steel },
    }
}

/// Struck next to all four sides, at places that are mirrored along the axes flipped.
fn struck(plate: Plate, flip: [bool; 2]) -> EnergyShares {
    let [x, y] = plate.size.map(|side| side / SPACING);
    let mut model = Model::new();
    let plate = model.add(plate);
    for (peak, place) in
        [(3.0, [1.3, 0.4 * y]), (-2.0, [x - 1.6, 0.6 * y]), (4.0, [0.45 * x, 1.2]), (1.0, [0.6 * x, y - 1.4])]
    {
        let at = [place[0] / x, place[1] / y];
        let at = [0, 1].map(|axis| if flip[axis] { 1.0 - at[axis] } else { at[axis] });
        model.pulse(plate.on(at), Pulse { peak, duration: 4.0 / RATE, ..Pulse::default() });
    }
    let mut simulation = model.compile(RATE).unwrap();
    simulation.open_ledger();
    (0..STEPS).for_each(|_| simulation.step());
    let total = &simulation.ledger().unwrap().total;
    EnergyShares {
        stored: total.stored / total.scale,
        dissipated: total.dissipated / total.scale,
        residual: total.worst_relative,
    }
}

/// The account of a plate of which the edges are swapped along the axes flipped.
fn energy_shares(kind: SurfaceKind, intervals: [usize; 2], edges: [Edge; 4], flip: [bool; 2]) -> EnergyShares {
    let swap = |pair: [Edge; 2], flipped: bool| if flipped { [pair[1], pair[0]] } else { pair };
    let [[left, right], [bottom, top]] = [swap([edges[0], edges[1]], flip[0]), swap([edges[2], edges[3]], flip[1])];
    struck(plate(kind, intervals, [left, right, bottom, top]), flip)
}

/// Two kinds of edge, the second not before the first in the list: the others are mirror images.
fn pairs() -> impl Iterator<Item = [Edge; 2]> + Clone {
    (0..EDGES.len()).flat_map(|first| EDGES[first..].iter().map(move |&second| [EDGES[first], second]))
}

/// Checks the accounts of all plates of a size, and that mirror images have the same.
fn check(kind: impl Fn(usize) -> SurfaceKind, intervals: [usize; 2]) {
    let edges = pairs().flat_map(|[left, right]| pairs().map(move |[bottom, top]| [left, right, bottom, top]));
    for (index, edges) in edges.enumerate() {
        let [plain, mirrored @ ..] = [[false; 2], [true, false], [false, true], [true; 2]]
            .map(|flip| energy_shares(kind(index), intervals, edges, flip));
        let of = || format!("{:?} {intervals:?} {edges:?}: {plain:?}, mirrored {mirrored:?}", kind(index));
        assert!(plain.residual <= 1e-12, "{}", of());
        for found in &mirrored {
            let off = (found.stored - plain.stored).abs().max((found.dissipated - plain.dissipated).abs());
            assert!(found.residual <= 1e-12 && off <= 1e-12, "{}", of());
        }
    }
}

#[test]
fn account_closes_whatever_the_edges_and_the_width() {
    for across in WHOLE {
        check(|index| KINDS[(across + index) % 3], [across, 4 + across % 3]);
    }
}

#[test]
fn account_closes_whatever_the_edges_and_the_height() {
    for up in WHOLE {
        check(|index| KINDS[(up + index) % 3], [4 + up % 5, up]);
    }
}

#[test]
#[ignore = "takes half an hour"]
fn account_closes_whatever_the_edges_and_the_size() {
    for across in WHOLE {
        WHOLE.for_each(|up| check(|index| KINDS[(across + up + index) % 3], [across, up]));
    }
}

#[test]
fn account_closes_on_discs_of_any_size() {
    for across in WHOLE {
        for (kind, rim) in [
            (SurfaceKind::Plate, Edge::Free),
            (SurfaceKind::Plate, Edge::Clamped),
            (SurfaceKind::Tense, Edge::Free),
            (SurfaceKind::Tense, Edge::Clamped),
            (SurfaceKind::Membrane, Edge::SimplySupported),
        ] {
            let found = struck(Plate { outline: Outline::Disc, ..plate(kind, [across; 2], [rim; 4]) }, [false; 2]);
            assert!(found.residual <= 1e-12, "{kind:?} {across} {rim:?}: {found:?}");
        }
    }
}

/// Bending stiffness over that of the tension: around the rounding of the tension's coefficients.
const HARDLY_STIFF: [f64; 6] = [1e-16, 1e-15, 1e-14, 1e-13, 1e-12, 1e-11];

/// A body that is driven at its edge has to close its balance.
#[track_caller]
fn assert_closed(body: impl Into<Element>, place: Place) {
    let mut model = Model::new();
    let body = model.add(body);
    let point = if let Place::On(at) = place { body.on(at) } else { body.at(0.0) };
    let values = (0..480).map(|step| f64::from(step) / 2400.0 - 0.1).collect();
    model.drive(point, Drive::Samples { rate: 8000.0, values });
    let mut simulation = model.compile(8000.0).unwrap();
    simulation.open_ledger();
    (0..480).for_each(|_| simulation.step());
    let residual = simulation.ledger().unwrap().total.worst_relative;
    assert!(residual < 1e-13, "{residual:e}: {:?}", model.elements());
}

/// Such a stiffness changes the rows of the operator next to free ends by as little, and has to be in all of them: else forces do work
/// that nobody books.
#[test]
fn hardly_stiff_strings_close_their_balance() {
    for share in HARDLY_STIFF {
        let (length, tension, radius) = (30.0, 600.0, 3e-5_f64);
        let bending = share * tension * (length / 20.0_f64).powi(2);
        let string = StiffString {
            length,
            radius,
            density: 3000.0,
            youngs_modulus: bending / (0.25 * std::f64::consts::PI * radius.powi(4)),
            tension,
            sigma0: 0.0,
            sigma1: 0.0,
            ends: [End::Free; 2],
            grid: Some(20),
            ..StiffString::default()
        };
        assert_closed(string, Place::Along(0.0));
    }
}

/// The same for membranes, in short rows and in long ones.
#[test]
fn hardly_stiff_membranes_close_their_balance() {
    for (share, intervals) in HARDLY_STIFF.into_iter().flat_map(|share| [10, 80].map(|intervals| (share, intervals))) {
        let membrane = Plate::membrane([0.3 * intervals as f64; 2], 0.1, 600.0);
        let bending = share * membrane.tension * 0.3_f64.powi(2);
        let membrane = Plate {
            youngs_modulus: bending * 12.0 * (1.0 - membrane.poisson.powi(2)) / membrane.thickness.powi(3),
            sigma0: 0.0,
            sigma1: 0.0,
            edges: [Edge::Free; 4],
            grid: Some([intervals; 2]),
            ..membrane
        };
        assert_closed(membrane, Place::On([0.0, 0.0]));
    }
}
