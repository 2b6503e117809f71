//! Tension of membranes that rises with their area: what is refused, the limit of small motion, and the energy of random membranes with all
//! that can touch them. Pitch and motion are compared with Berger's equation in `src/simulation/berger_tests.rs`.

use percuss::*;
use proptest::prelude::*;
use std::f64::consts::PI;

/// A film of polyester.
fn film(outline: Outline) -> Plate {
    let size = if outline == Outline::Disc { [0.3; 2] } else { [0.3, 0.2] };
    Plate { outline, stretching_modulus: Some(4.9e9), ..Plate::membrane(size, 0.35, 1000.0) }
}

#[test]
fn a_membrane_that_hardly_moves_sounds_as_without() {
    for (outline, method) in [
        (Outline::Rectangle, Method::Modes),
        (Outline::Rectangle, Method::Grid),
        (Outline::Disc, Method::Modes),
        (Outline::Disc, Method::Grid),
    ] {
        let run = |modulated: bool| {
            let mut model = Model::new();
            let id = model.add(Plate { method, ..film(outline) });
            if modulated {
                model.modulate_tension(id);
            }
            model.pulse(id.on([0.4, 0.5]), Pulse { peak: 1e-4, ..Pulse::default() });
            let pickup = model.pickup(id.on([0.6, 0.6]), Quantity::Displacement);
            let mut simulation = model.compile(8000.0).unwrap();
            let read = |_| {
                simulation.step();
                simulation.read(pickup)
            };
            (0..1600).map(read).collect::<Vec<f64>>()
        };
        let [with, without] = [true, false].map(run);
        let peak = without.iter().fold(0.0_f64, |peak, x| peak.max(x.abs()));
        assert!(peak > 1e-9, "it moves: {peak}");
        for (a, b) in with.iter().zip(without) {
            assert!((a - b).abs() <= 1e-7 * peak, "{outline:?} {method:?}: {a} {b}");
        }
    }
}

#[test]
fn what_is_not_stretched_is_refused() {
    let refused = |plate: Plate| {
        let mut model = Model::new();
        let id = model.add(plate);
        model.modulate_tension(id);
        matches!(model.compile(44_100.0), Err(CompileError::NotStretched { .. }))
    };
    let held = film(Outline::Rectangle);
    assert!(!refused(held.clone()));
    let [one, all] = [0..1, 0..4].map(|free| {
        let mut edges = held.edges;
        edges[free].fill(Edge::Free);
        Plate { edges, ..held.clone() }
    });
    assert!(refused(one) && refused(all), "an edge is free");
    assert!(refused(Plate { stretching_modulus: None, ..held.clone() }), "no modulus");
    let slack = Plate { edges: [Edge::Clamped; 4], tension: 0.0, ..Plate::steel([0.3, 0.2], 1e-3) };
    assert!(refused(slack.clone()), "no tension at rest");
    assert!(!refused(Plate { tension: 1e4, ..slack }), "a plate under tension");
    let mut model = Model::new();
    model.add(Plate { stretching_modulus: Some(-1.0), ..held });
    assert!(matches!(model.compile(44_100.0), Err(CompileError::Parameter { field: "stretching_modulus", .. })));
}

/// What lies on a membrane changes the masses of its nodes, also those that only the row of the tension meets (found by the search).
#[test]
fn touches_and_patches_keep_the_account() {
    let touch = Touch { region: Region::Everywhere, pressure: 0.7.into(), mass: 2.0, stiffness: 1e5, damping: 20.0 };
    let patch = Patch { centre: [0.6, 0.4], radius: 0.03, surface_density: 1.0 };
    let film = Plate { method: Method::Grid, grid: Some([12, 8]), ..film(Outline::Rectangle) };
    for membrane in [Plate { touches: vec![touch], ..film.clone() }, Plate { patches: vec![patch], ..film }] {
        let mut model = Model::new();
        let id = model.add(membrane);
        model.modulate_tension(id);
        model.pulse(id.on([0.4, 0.5]), Pulse { peak: 20.0, ..Pulse::default() });
        let mut simulation = model.compile(22_050.0).unwrap();
        simulation.open_ledger();
        (0..2000).for_each(|_| simulation.step());
        let ledger = simulation.ledger().unwrap();
        assert!(ledger.interactions[0].peak_force > 100.0, "the tension rises: {:?}", ledger.interactions);
        assert!(ledger.total.worst_relative < 1e-12, "{:?}", ledger.total);
    }
}

fn log_range(low: f64, high: f64) -> impl Strategy<Value = f64> {
    (low.ln()..high.ln()).prop_map(f64::exp)
}

/// A hand that moves and presses now and then.
fn touch() -> impl Strategy<Value = Touch> {
    let ramp = |low: f64, high: f64| {
        [low..high, low..high].prop_map(|value| Control::Breakpoints { time: vec![0.0, 0.03], value: value.to_vec() })
    };
    let region = (ramp(0.0, 1.0), ramp(0.0, 1.0), ramp(0.01, 0.2))
        .prop_map(|(x, y, radius)| Region::Circle { centre: [x, y], radius });
    (region, ramp(0.0, 1.0), 0.0..10.0, log_range(1.0, 1e8), 0.0..1000.0)
        .prop_map(|(region, pressure, mass, stiffness, damping)| Touch { region, pressure, mass, stiffness, damping })
}

/// A membrane with held edges, from a slack sheet to a tight film.
fn membrane() -> impl Strategy<Value = Plate> {
    let film = (log_range(1e-4, 2e-3), log_range(0.05, 5.0), log_range(10.0, 2e4), log_range(1e6, 1e11), 0.0..0.49);
    let losses = (0.0..20.0, prop_oneof![Just(0.0), 0.0..0.02]);
    let edge = || prop_oneof![Just(Edge::SimplySupported), Just(Edge::Clamped)];
    let patch = (0.02..0.3, 0.1..3.0).prop_map(|(radius, surface_density)| (radius, surface_density));
    let touches = prop_oneof![2 => Just(Vec::new()), 1 => prop::collection::vec(touch(), 1..3)];
    let way = (prop_oneof![Just(Method::Modes), Just(Method::Grid)], any::<bool>());
    let size = (log_range(0.05, 0.6), 0.5..2.0);
    (film, losses, [edge(), edge(), edge(), edge()], (size, way), prop::option::weighted(0.2, patch), touches).prop_map(
        |((thickness, surface_density, tension, modulus, poisson), losses, edges, (size, way), patch, touches)| {
            let ((width, ratio), (method, is_round)) = (size, way);
            let size = [width, if is_round { width } else { ratio * width }];
            let side = size[0].min(size[1]);
            let patch = patch.map(|(radius, surface_density)| Patch {
                centre: [0.5; 2],
                radius: radius * side,
                surface_density,
            });
            Plate {
                outline: if is_round { Outline::Disc } else { Outline::Rectangle },
                thickness,
                density: surface_density / thickness,
                stretching_modulus: Some(modulus),
                poisson,
                sigma0: losses.0,
                sigma1: losses.1,
                edges: if is_round { [edges[0]; 4] } else { edges },
                method,
                patches: patch.into_iter().collect(),
                touches,
                ..Plate::membrane(size, surface_density, tension)
            }
        },
    )
}

/// The same on a coarser grid, where the finest has too many nodes for a test.
fn on_few_nodes(membrane: Plate) -> Plate {
    let finest = membrane.grid_at(RATE).map(|grid| grid.intervals).unwrap_or([0; 2]);
    let across = 24;
    let grid = [across, (across as f64 * membrane.size[1] / membrane.size[0]).round() as usize];
    if finest[0] * finest[1] > 1500 { Plate { grid: Some(grid), ..membrane } } else { membrane }
}

const RATE: f64 = 22_050.0;

/// What acts on a membrane beside its own tension.
#[derive(Clone, Debug)]
struct Actions {
    /// A mallet of this mass \[kg\] and speed \[m/s\], on a felt or a collision of this stiffness.
    mallet: [f64; 3],
    pulse: Option<f64>,
    bow: Option<f64>,
    /// Depth of the air beneath \[m\], and whether a membrane closes it.
    cavity: Option<(f64, bool)>,
    barrier: bool,
    at: [f64; 2],
}

fn actions() -> impl Strategy<Value = Actions> {
    let mallet = [log_range(1e-4, 0.2).boxed(), log_range(0.01, 20.0).boxed(), log_range(1e4, 1e9).boxed()];
    let cavity = prop::option::of((log_range(0.01, 1.0), any::<bool>()));
    let others =
        (prop::option::of(log_range(0.01, 50.0)), prop::option::weighted(0.3, 0.0..5.0), cavity, any::<bool>());
    (mallet, others, [0.25..0.75, 0.25..0.75]).prop_map(|(mallet, (pulse, bow, cavity, barrier), at)| Actions {
        mallet,
        pulse,
        bow,
        cavity,
        barrier,
        at,
    })
}

impl Actions {
    fn model(&self, membrane: &Plate, scheme: Scheme) -> Model {
        let mut model = Model::new();
        model.scheme = scheme;
        let head = model.add(membrane.clone());
        model.modulate_tension(head);
        let struck = head.on(self.at);
        let [mass, speed, stiffness] = self.mallet;
        let blows = vec![Blow { time: 1e-3, speed }, Blow { time: 0.02, speed: 0.5 * speed }];
        let mallet = model.add(Mallet { mass, blows, retreat: 1e-3 });
        let law = Collision { stiffness, exponent: 1.8, loss: 0.1, ..Collision::default() };
        model.collide(struck, mallet.point(), law);
        if self.barrier {
            let floor = model.add(Barrier::at(-1e-4));
            model.collide(floor.point(), head.on([0.5, 0.6]), law);
        }
        if let Some(peak) = self.pulse {
            model.pulse(head.on([0.4, 0.6]), Pulse { peak, ..Pulse::default() });
        }
        if let Some(force) = self.bow {
            let bow = Bow { force: force.into(), velocity: 0.2.into(), ..Bow::default() };
            model.bow(head.on([0.6, 0.4]), bow);
        }
        if let Some((depth, is_closed_by_membrane)) = self.cavity {
            let below = if is_closed_by_membrane {
                let resonant = model.add(Plate { touches: Vec::new(), ..membrane.clone() });
                model.modulate_tension(resonant);
                resonant
            } else {
                model.add(Barrier::at(0.0))
            };
            model.enclose(below, head, Cavity::of_air(area(membrane) * depth));
        }
        model
    }
}

fn area(membrane: &Plate) -> f64 {
    membrane.size[0] * membrane.size[1] * if membrane.outline == Outline::Disc { 0.25 * PI } else { 1.0 }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(120))]

    /// However slack the membrane and however hard the blow.
    #[test]
    fn the_energy_account_closes(membrane in membrane(), actions in actions(), is_plain in prop::bool::weighted(0.2)) {
        let scheme = if is_plain { Scheme::Plain } else { Scheme::Tracked };
        let membrane = on_few_nodes(membrane);
        let Ok(mut simulation) = actions.model(&membrane, scheme).compile(RATE) else {
            return Err(TestCaseError::reject("too fine, too coarse or too stiff"));
        };
        simulation.open_ledger();
        let modulus = membrane.stretching_modulus.unwrap();
        let stiffness = modulus * membrane.thickness / (1.0 - membrane.poisson.powi(2)) / area(&membrane);
        let mut bound = if scheme == Scheme::Plain { 1e-11 } else { 1e-12 };
        for step in 0..800 {
            simulation.step();
            let ledger = simulation.ledger().unwrap();
            let total = &ledger.total;
            // Beyond that its row is stiff, and its motion the difference of large numbers.
            if (2.0 * stiffness * ledger.interactions[0].stored).sqrt() > 4.0 * membrane.tension {
                bound = 1e-9;
            }
            prop_assert!(total.stored.is_finite() && total.worst_relative <= bound, "step {step}: {total:?}");
            let pulls = ledger.interactions.iter().any(|account| account.adhesive_impulse > 0.0);
            prop_assert!(scheme != Scheme::Tracked || !pulls, "step {step}");
        }
    }
}
