//! Strings with two polarisations that share one tension: they whirl as the equations of Kirchhoff and Carrier say.

use percuss::prelude::*;
use proptest::prelude::*;
use std::f64::consts::PI;

const AT: f64 = 0.3;

/// One polarisation of a lossless steel string.
fn string(method: Method, displacement: f64, velocity: f64) -> StiffString {
    // Wide enough to be a half-wave, as nearly as a raised cosine is.
    let shape = |height| if height == 0.0 { Shape::Flat } else { Shape::RaisedCosine { at: 0.5, width: 1.0, height } };
    StiffString {
        length: 0.65,
        radius: 2e-4,
        density: 7850.0,
        youngs_modulus: 2e11,
        tension: 40.0,
        sigma0: 0.0,
        sigma1: 0.0,
        method,
        displacement: shape(displacement),
        velocity: shape(velocity),
        ..StiffString::default()
    }
}

/// Displacements at a place of both polarisations, and the ledger's largest residual.
fn run(strings: [StiffString; 2], is_shared: bool, steps: usize) -> (Vec<[f64; 2]>, f64) {
    let mut model = Model::new();
    let [upright, sideways] = strings.map(|string| model.add(string));
    if is_shared {
        model.share_tension(upright, sideways);
    } else {
        model.modulate_tension(upright);
        model.modulate_tension(sideways);
    }
    let pickups = [upright, sideways].map(|id| model.pickup(id.at(AT), Quantity::Displacement));
    let mut simulation = model.compile(44_100.0).unwrap();
    simulation.open_ledger();
    let read = |_| {
        simulation.step();
        pickups.map(|pickup| simulation.read(pickup))
    };
    let path = (0..steps).map(read).collect();
    (path, simulation.ledger().unwrap().total.worst_relative)
}

/// Both share one elongation: motion in a slanted plane is that of one polarisation with the whole height.
#[test]
fn motion_in_a_slanted_plane_is_that_of_one_string() {
    for method in [Method::Modes, Method::Grid] {
        let height = 8e-3;
        let (across, up) = (0.6 * height, 0.8 * height);
        let (slanted, residual) = run([string(method, up, 0.0), string(method, across, 0.0)], true, 4000);
        let (plane, _) = run([string(method, height, 0.0), string(method, 0.0, 0.0)], true, 4000);
        assert!(residual < 1e-12, "{residual}");
        for (step, (slanted, plane)) in slanted.iter().zip(plane).enumerate() {
            let off = (slanted[0] - 0.8 * plane[0]).abs().max((slanted[1] - 0.6 * plane[0]).abs());
            assert!(off < 1e-9 * height && plane[1] == 0.0, "{method:?}, step {step}: {slanted:?} {plane:?}");
        }
    }
}

/// u₁v₂ − u₂v₁ over the nodes or modes, weighted with their masses: what a central force keeps. The scheme keeps it too, step by step.
#[test]
fn a_whirling_string_keeps_its_angular_momentum() {
    let mut model = Model::new();
    let upright = model.add(string(Method::Grid, 6e-3, 0.0));
    let sideways = model.add(string(Method::Grid, 0.0, 3.0));
    model.share_tension(upright, sideways);
    let mut simulation = model.compile(44_100.0).unwrap();
    let mut before = [upright, sideways].map(|id| simulation.displacements(id));
    let (mut first, mut largest) = (None, 0.0_f64);
    let (mut turned, mut previous) = (0.0, 0.0);
    for _ in 0..20_000 {
        simulation.step();
        let now = [upright, sideways].map(|id| simulation.displacements(id));
        let pairs = now[0].iter().zip(&now[1]).zip(before[0].iter().zip(&before[1]));
        // All moving nodes of a held string have the same mass.
        let momentum: f64 = pairs.map(|((u, v), (u_before, v_before))| u_before * v - v_before * u).sum();
        let start = *first.get_or_insert(momentum);
        largest = largest.max((momentum / start - 1.0).abs());
        let middle = now[0].len() / 2;
        let angle = now[1][middle].atan2(now[0][middle]);
        let step: f64 = angle - previous;
        turned += step - (step / (2.0 * PI)).round() * 2.0 * PI;
        previous = angle;
        before = now;
    }
    assert!(largest < 1e-9, "{largest}");
    assert!(turned > 20.0 * 2.0 * PI, "it whirls: {turned}");
}

/// Where each polarisation has a tension of its own, they do not know of each other.
#[test]
fn the_sideways_motion_of_a_whirling_string_sharpens_the_upright_one() {
    let crossings = |is_shared: bool| {
        let (path, _) = run([string(Method::Modes, 1e-4, 0.0), string(Method::Modes, 8e-3, 0.0)], is_shared, 20_000);
        path.windows(2).filter(|pair| pair[0][0] * pair[1][0] < 0.0).count()
    };
    let [shared, alone] = [true, false].map(crossings);
    assert!(shared as f64 > 1.05 * alone as f64, "{shared} {alone}");
}

#[test]
fn polarisations_of_different_strings_are_refused() {
    let refused = |other: StiffString| {
        let mut model = Model::new();
        let ids = [string(Method::Modes, 0.0, 0.0), other].map(|string| model.add(string));
        model.share_tension(ids[0], ids[1]);
        model.compile(44_100.0).is_err()
    };
    let same = string(Method::Modes, 0.0, 0.0);
    assert!(!refused(same.clone()));
    assert!(refused(StiffString { length: 0.7, ..same.clone() }));
    assert!(refused(StiffString { ends: [End::Clamped, End::Free], ..same.clone() }));
    let mut model = Model::new();
    let id = model.add(same);
    model.share_tension(id, id);
    assert!(model.compile(44_100.0).is_err());
}

/// Kirchhoff and Carrier's equations in modes, for both polarisations, by Runge and Kutta's method.
struct Reference {
    wave2: Vec<f64>,
    omega2: Vec<f64>,
    /// EA/4ρA.
    stretch: f64,
    /// u, v, then their velocities, mode by mode.
    state: Vec<f64>,
}

impl Reference {
    fn new(string: &StiffString, [height, speed]: [f64; 2]) -> Self {
        let count: usize = 99;
        let area = PI * string.radius.powi(2);
        let bending = string.youngs_modulus * area * string.radius.powi(2) / 4.0;
        let wave2: Vec<f64> = (1..=count).map(|n| (n as f64 * PI / string.length).powi(2)).collect();
        let omega2 = |wave2: &f64| (string.tension * wave2 + bending * wave2 * wave2) / (string.density * area);
        // Of sin²(πx/L): 8/(πn(4 − n²)) for odd n.
        let shape = |n: usize| if n % 2 == 1 { -8.0 / (PI * (n * n * n) as f64 - 4.0 * PI * n as f64) } else { 0.0 };
        let shapes: Vec<f64> = (1..=count).map(shape).collect();
        let mut state: Vec<f64> = shapes.iter().map(|shape| height * shape).collect();
        state.resize(3 * count, 0.0);
        state.extend(shapes.iter().map(|shape| speed * shape));
        let omega2 = wave2.iter().map(omega2).collect();
        Self { omega2, wave2, stretch: 0.25 * string.youngs_modulus / string.density, state }
    }

    fn slope(&self, state: &[f64]) -> Vec<f64> {
        let count = self.wave2.len();
        let square = |n: usize| self.wave2[n % count] * state[n] * state[n];
        let rise = self.stretch * (0..2 * count).map(square).sum::<f64>();
        let mut slope = state[2 * count..].to_vec();
        slope.extend((0..2 * count).map(|n| -(self.omega2[n % count] + rise * self.wave2[n % count]) * state[n]));
        slope
    }

    fn step(&mut self, k: f64) {
        let add =
            |slope: &[f64], k: f64| -> Vec<f64> { self.state.iter().zip(slope).map(|(x, dx)| x + k * dx).collect() };
        let first = self.slope(&self.state);
        let second = self.slope(&add(&first, 0.5 * k));
        let third = self.slope(&add(&second, 0.5 * k));
        let fourth = self.slope(&add(&third, k));
        for (n, x) in self.state.iter_mut().enumerate() {
            *x += k / 6.0 * (first[n] + 2.0 * second[n] + 2.0 * third[n] + fourth[n]);
        }
    }

    fn displacements(&self) -> [f64; 2] {
        let count = self.wave2.len();
        let value = |start: usize| (0..count).map(|n| self.state[start + n] * ((n + 1) as f64 * PI * AT).sin()).sum();
        [value(0), value(count)]
    }
}

/// Largest deviation from the reference over 20 ms of whirling, over the height.
fn deviation(method: Method, rate: f64) -> f64 {
    let (height, speed) = (8e-3, 8.0);
    let mut model = Model::new();
    let [upright, sideways] = [string(method, height, 0.0), string(method, 0.0, speed)].map(|string| model.add(string));
    model.share_tension(upright, sideways);
    let pickups = [upright, sideways].map(|id| model.pickup(id.at(AT), Quantity::Displacement));
    let mut simulation = model.compile(rate).unwrap();
    let mut reference = Reference::new(&string(method, 0.0, 0.0), [height, speed]);
    let mut largest = 0.0_f64;
    for _ in 0..(0.02 * rate) as usize {
        simulation.step();
        (0..16).for_each(|_| reference.step(1.0 / (16.0 * rate)));
        for (pickup, expected) in pickups.iter().zip(reference.displacements()) {
            largest = largest.max((simulation.read(*pickup) - expected).abs());
        }
    }
    largest / height
}

#[test]
fn a_whirling_string_tends_to_the_motion_of_kirchhoff_and_carrier() {
    for (method, largest, least_ratio) in [(Method::Modes, 1e-3, 2.5), (Method::Grid, 1e-2, 1.7)] {
        let [coarse, fine] = [96_000.0, 192_000.0].map(|rate| deviation(method, rate));
        println!("{method:?}: {coarse:.2e} {fine:.2e}");
        assert!(fine < largest && coarse / fine > least_ratio, "{method:?}: {coarse} {fine}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(80))]

    /// Alone, against a barrier, under a bow, plucked: the account closes, and nothing pulls.
    #[test]
    fn the_energy_account_closes(
        heights in [-8e-3..8e-3, -8e-3..8e-3],
        velocities in [-5.0..5.0, -5.0..5.0],
        losses in (0.0..10.0, 0.0..0.01),
        is_on_grid in any::<bool>(),
        grid in prop::option::weighted(0.5, 4_usize..30),
        stiffness in 1e4..1e9,
        contacts in 0..4,
    ) {
        let method = if is_on_grid { Method::Grid } else { Method::Modes };
        let mut model = Model::new();
        let ids = [0, 1].map(|n| {
            let string = string(method, heights[n], velocities[n]);
            model.add(StiffString { sigma0: losses.0, sigma1: losses.1, grid, ..string })
        });
        model.share_tension(ids[0], ids[1]);
        if contacts & 1 == 1 {
            for id in ids {
                let wall = model.add(Barrier::at(-2e-3));
                model.collide(wall.point(), id.at(0.4), Collision { stiffness, exponent: 1.3, ..Collision::default() });
            }
        }
        if contacts & 2 == 2 {
            model.bow(ids[1].at(0.2), Bow { force: 1.0.into(), velocity: 0.2.into(), ..Bow::default() });
            model.pluck(ids[0].at(0.7), Pluck { force: 2.0, ..Pluck::default() });
        }
        // With a contact beside it, the row of a wide motion may be too stiff for the solve.
        let Ok(mut simulation) = model.compile(44_100.0) else {
            return Err(TestCaseError::reject("too stiff"));
        };
        simulation.open_ledger();
        for step in 0..1500 {
            simulation.step();
            let ledger = simulation.ledger().unwrap();
            prop_assert!(ledger.total.worst_relative <= 1e-12, "step {step}: {:?}", ledger.total);
            prop_assert!(ledger.interactions.iter().all(|account| account.adhesive_impulse == 0.0), "step {step}");
        }
    }
}
