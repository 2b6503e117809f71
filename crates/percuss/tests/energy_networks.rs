//! Energy: in any stable network, with losses, excitation and contact on, every joule is accounted for at every step.
//!
//! Random scenes of all kinds of elements, interactions and exciters are run under all three schemes. The balance
//! H⁺ − H + lost − supplied must close to 1e-12 of the energy in play (1e-11 for `plain`, 1e-9 for `newton`, which iterates), for
//! the whole, for every element and for every interaction. Under `tracked` no one-sided contact may pull, or hold energy while
//! it is open. (`percuss-cli` has a search over all that scene files permit.)

mod plates;

use percuss::*;
use proptest::prelude::*;

const STEPS: usize = 1500;

fn log_range(low: f64, high: f64) -> impl Strategy<Value = f64> {
    (low.ln()..high.ln()).prop_map(f64::exp)
}

/// Zero half of the time, else from a range.
fn maybe(some: impl Strategy<Value = f64> + 'static) -> impl Strategy<Value = f64> {
    prop_oneof![Just(0.0), some]
}

fn mass() -> impl Strategy<Value = Element> {
    let place = (-1e-3..1e-3, -1.0..1.0);
    let start = maybe(0.0..0.02);
    (log_range(1e-4, 0.1), place, maybe(log_range(10.0, 3000.0)), maybe(0.1..100.0), maybe(0.0..10.0), start).prop_map(
        |(mass, (position, velocity), frequency, damping, gravity, start)| {
            Mass { mass, position, velocity, frequency, damping, gravity, start }.into()
        },
    )
}

fn end() -> impl Strategy<Value = End> {
    prop_oneof![Just(End::SimplySupported), Just(End::Clamped), Just(End::Free)]
}

fn shape(height: f64) -> impl Strategy<Value = Shape> {
    prop_oneof![
        Just(Shape::Flat),
        (0.1..0.9, -height..height).prop_map(|(at, height)| Shape::Triangle { at, height }),
        (0.0..1.0, 0.05..2.0, -height..height).prop_map(|(at, width, height)| Shape::RaisedCosine {
            at,
            width,
            height
        }),
    ]
}

fn string() -> impl Strategy<Value = Element> {
    let section = (0.3..1.0, log_range(2e-4, 1e-3), 1000.0..9000.0, prop_oneof![Just(0.0), Just(2e11)]);
    let motion = (log_range(20.0, 400.0), maybe(0.1..20.0), maybe(1e-4..0.02));
    let grid = prop_oneof![Just(None), (8usize..24).prop_map(Some)];
    let method = prop_oneof![Just(Method::Grid), Just(Method::Modes)];
    (section, motion, [end(), end()], (grid, method), shape(1e-3), shape(0.5)).prop_map(
        |(section, (tension, sigma0, sigma1), ends, (grid, method), displacement, velocity)| {
            let (length, radius, density, youngs_modulus) = section;
            let damping = StiffString { sigma0, sigma1, ..StiffString::default() };
            let start = StiffString { ends, method, grid, displacement, velocity, ..damping };
            StiffString { length, radius, density, youngs_modulus, tension, ..start }.into()
        },
    )
}

fn bar() -> impl Strategy<Value = Element> {
    let section = (0.2..0.6, 0.005..0.03, log_range(1e-3, 5e-3));
    (section, maybe(0.1..20.0), maybe(1e-4..0.01), [end(), end()], shape(2e-4), shape(0.2)).prop_map(
        |((length, width, thickness), sigma0, sigma1, ends, displacement, velocity)| {
            let section = Bar { length, width, thickness, ..Bar::default() };
            Bar { sigma0, sigma1, ends, displacement, velocity, ..section }.into()
        },
    )
}

fn modal() -> impl Strategy<Value = Element> {
    let decay = prop_oneof![Just(f64::INFINITY), log_range(0.01, 5.0)];
    let mode = (log_range(30.0, 9000.0), decay, log_range(1e-4, 1e-2)).prop_map(|(frequency, decay, mass)| Mode {
        frequency,
        decay,
        mass,
    });
    let voice = (mode, -1.0..1.0, -1.0..1.0);
    prop::collection::vec(voice, 1..6).prop_map(|voices| {
        let modes = voices.iter().map(|voice| voice.0).collect();
        // A gain of at least 0.1 keeps both points movable.
        let gains = |of: fn(&(Mode, f64, f64)) -> f64| voices.iter().map(|v| of(v) + 0.1_f64.copysign(of(v))).collect();
        Modal { modes, points: vec![gains(|voice| voice.1), gains(|voice| voice.2)] }.into()
    })
}

fn shape_of_barrier() -> impl Strategy<Value = BarrierShape> {
    let parabola =
        (0.0..1.0, 0.01..1.0, -1e-3..1e-3).prop_map(|(at, width, depth)| BarrierShape::Parabola { at, width, depth });
    let points = prop::collection::vec((0.01..0.2, -5e-4..5e-4), 1..8).prop_map(|points| {
        let at = |place: &mut f64, (step, _): &(f64, f64)| {
            *place += step;
            (*place <= 1.0).then_some(*place)
        };
        let at: Vec<f64> = points.iter().scan(0.0, at).collect();
        let height: Vec<f64> = points.iter().map(|point| point.1).take(at.len()).collect();
        (at, height)
    });
    (parabola, points, 1e-4..5e-3, 0..3).prop_map(|(parabola, (at, height), width, kind)| match kind {
        0 => parabola,
        1 => BarrierShape::Polyline { at, height },
        _ => BarrierShape::Frets { at, height, width },
    })
}

fn barrier() -> impl Strategy<Value = Element> {
    let still = (-1e-3..1e-3).prop_map(Control::Constant);
    let moving = prop::collection::vec((1e-3..2e-2, -1e-3..1e-3), 2..6).prop_map(|points| {
        let time = points.iter().scan(0.0, |time, point| Some(std::mem::replace(time, *time + point.0))).collect();
        Control::Breakpoints { time, value: points.iter().map(|point| point.1).collect() }
    });
    let profile =
        prop::collection::vec(-5e-4..5e-4, 0..6).prop_map(|profile| Barrier { profile, ..Barrier::default() });
    let shape = shape_of_barrier().prop_map(|shape| Barrier { shape, ..Barrier::default() });
    let span = prop_oneof![Just([0.0, 1.0]), (0.0..0.5, 0.5..1.0).prop_map(|(from, to)| [from, to])];
    let form = (prop_oneof![profile, shape], span).prop_map(|(barrier, span)| Barrier { span, ..barrier });
    (prop_oneof![2 => still, 2 => moving, 1 => wave(-1e-3, 1e-3)], form)
        .prop_map(|(position, form)| Barrier { position, ..form }.into())
}

/// Plates and membranes, rectangular or round, with and without touches; a third are simply supported, so that modes can step them.
fn plate() -> impl Strategy<Value = Element> {
    (plates::plate(), any::<bool>(), 0..3_usize).prop_map(|(plate, is_round, kind)| {
        let plate = if is_round { plates::round(plate) } else { plate };
        // That of the film of a membrane.
        let plate = Plate { stretching_modulus: (plate.youngs_modulus == 0.0).then_some(4e9), ..plate };
        let plate = match kind {
            0 => plate,
            1 => Plate { touches: Vec::new(), ..plate },
            _ => Plate { touches: Vec::new(), edges: [Edge::SimplySupported; 4], outline: Outline::Rectangle, ..plate },
        };
        plate.into()
    })
}

fn element() -> impl Strategy<Value = Element> {
    prop_oneof![3 => mass(), 3 => string(), 1 => bar(), 1 => modal(), 2 => plate(), 2 => barrier()]
}

fn law() -> impl Strategy<Value = Law> {
    let exponent = || prop_oneof![Just(1.0), Just(1.5), Just(2.0), Just(3.0), 1.0..3.0];
    let gap = || -5e-4..5e-4;
    let collision = (log_range(1e4, 1e10), exponent(), maybe(log_range(1e-3, 5.0)), gap())
        .prop_map(|(stiffness, exponent, loss, gap)| Law::Collision(Collision { stiffness, exponent, loss, gap }));
    let connection = (log_range(1e3, 1e8), exponent(), maybe(log_range(1e-6, 1e-3)), gap())
        .prop_map(|(stiffness, exponent, play, gap)| Law::Connection(Connection { stiffness, exponent, play, gap }));
    let spring = (maybe(log_range(1e2, 1e6)), maybe(log_range(1e4, 1e12)), maybe(0.0..5.0), gap())
        .prop_map(|(stiffness, cubic, damping, gap)| Law::Spring(Spring { stiffness, cubic, damping, gap }));
    let damper = (0.01..10.0).prop_map(|resistance| Law::Damper(Damper { resistance }));
    prop_oneof![4 => collision, 2 => connection, 1 => spring, 1 => damper, 1 => bow(), 1 => finger()]
}

/// A value that goes from one to another within a few hundredths of a second.
fn glide(low: f64, high: f64) -> impl Strategy<Value = Control> {
    let breakpoints = (low..high, low..high)
        .prop_map(|(from, to)| Control::Breakpoints { time: vec![0.0, 0.03], value: vec![from, to] });
    prop_oneof![2 => breakpoints, 1 => wave(low, high)]
}

/// A sine, a sweep or noise between two values.
fn wave(low: f64, high: f64) -> impl Strategy<Value = Control> {
    let frequency = || log_range(1.0, 1e4);
    let form = prop_oneof![
        (frequency(), 0.0..7.0).prop_map(|(frequency, phase)| Waveform::Sine { frequency, phase }),
        (frequency(), frequency(), any::<bool>())
            .prop_map(|(from, to, exponential)| Waveform::Sweep { frequencies: [from, to], exponential }),
        (frequency(), any::<u64>()).prop_map(|(bandwidth, seed)| Waveform::Noise { bandwidth, seed }),
    ];
    (form, low..high, low..high, 0.0..0.02, 1e-3..0.03, 0.0..0.01).prop_map(
        |(form, from, to, start, duration, fade)| {
            Wave::new(form, 0.5 * (to - from), 0.5 * (to + from)).during(start, duration, fade).into()
        },
    )
}

fn bow() -> impl Strategy<Value = Law> {
    let rubs = || (0.1..0.5, 0.5..1.0, 0.02..0.3);
    let friction = prop_oneof![
        log_range(10.0, 1e4).prop_map(|sharpness| Friction::Exponential { sharpness }),
        (rubs(), log_range(1e-4, 1e-2)).prop_map(|((sliding, sticking, velocity), creep)| Friction::Stribeck {
            sliding,
            sticking,
            velocity,
            creep
        }),
        (rubs(), log_range(1e3, 1e6), maybe(0.0..5.0), maybe(0.0..0.5)).prop_map(
            |((sliding, sticking, velocity), stiffness, damping, viscous)| Friction::Bristle {
                sliding,
                sticking,
                velocity,
                stiffness,
                damping,
                viscous
            }
        ),
    ];
    (glide(0.0, 3.0), glide(-0.5, 0.5), friction)
        .prop_map(|(force, velocity, friction)| Law::Bow(Bow { force, velocity, friction }))
}

fn finger() -> impl Strategy<Value = Law> {
    (glide(0.0, 1.0), maybe(log_range(10.0, 1e6)), maybe(0.0..10.0))
        .prop_map(|(pressure, stiffness, damping)| Law::Finger(Finger { pressure, stiffness, damping }))
}

#[derive(Clone, Debug)]
enum RandomExciter {
    Pulse(Pulse),
    Pluck(Pluck),
    Drive(Drive),
}

fn exciter() -> impl Strategy<Value = RandomExciter> {
    let pulse = (0.0..0.01, 1e-4..5e-3, -20.0..20.0, maybe(0.0..0.5))
        .prop_map(|(time, duration, peak, width)| RandomExciter::Pulse(Pulse { time, duration, peak, width }));
    let constant = (-2.0..2.0).prop_map(|force| RandomExciter::Drive(Drive::Control(Control::Constant(force))));
    let wave = wave(-5.0, 5.0).prop_map(|force| RandomExciter::Drive(Drive::Control(force)));
    let samples = prop::collection::vec(-5.0..5.0, 1..60)
        .prop_map(|values| RandomExciter::Drive(Drive::Samples { rate: 8000.0, values }));
    let pluck = (0.0..0.02, 1e-4..0.01, 1e-5..1e-3, -10.0..10.0)
        .prop_map(|(time, duration, release, force)| RandomExciter::Pluck(Pluck { time, duration, release, force }));
    prop_oneof![pulse, pluck, constant, wave, samples]
}

/// A mallet, the contact through which it strikes, and whether it comes from below.
type RandomMallet = (Mallet, Law, bool);

fn mallet() -> impl Strategy<Value = RandomMallet> {
    let blow = (1e-3..0.012, log_range(0.05, 10.0));
    let blows = prop::collection::vec(blow, 1..4).prop_map(|blows| {
        let time = |time: &mut f64, (pause, speed): (f64, f64)| {
            *time += pause;
            Some(Blow { time: *time, speed })
        };
        blows.into_iter().scan(0.0, time).collect::<Vec<_>>()
    });
    let collision = (log_range(1e4, 1e10), 1.0..3.0, maybe(log_range(1e-3, 5.0)), -5e-4..5e-4)
        .prop_map(|(stiffness, exponent, loss, gap)| Law::Collision(Collision { stiffness, exponent, loss, gap }));
    let felt =
        (log_range(1e4, 1e10), 1.5..3.5, 0.3..1.0, -5e-4..5e-4).prop_map(|(stiffness, exponent, restitution, gap)| {
            laws::Felt { stiffness, exponent, restitution, gap }.into()
        });
    (log_range(1e-4, 0.1), blows, log_range(1e-6, 1e-2), prop_oneof![2 => collision, 1 => felt], any::<bool>())
        .prop_map(|(mass, blows, retreat, law, from_below)| (Mallet { mass, blows, retreat }, law, from_below))
}

/// Two elements and where, by numbers that fit any element; whether along the whole length, where that is possible.
type RandomInteraction = ((usize, f64), (usize, f64), bool, Law);

#[derive(Clone, Debug)]
struct RandomModel {
    elements: Vec<Element>,
    interactions: Vec<RandomInteraction>,
    exciters: Vec<((usize, f64), RandomExciter)>,
    mallets: Vec<((usize, f64), RandomMallet)>,
    /// Whether the tension of each element rises with its length, bit by bit.
    modulated: u8,
    rate: f64,
}

fn scene() -> impl Strategy<Value = RandomModel> {
    let place = || (0usize..64, 0.05..0.95);
    let tie = (place(), place(), any::<bool>(), law());
    let rate = prop_oneof![Just(22_050.0), Just(44_100.0), Just(96_000.0)];
    let elements = (mass(), prop::collection::vec(element(), 1..6)).prop_map(|(first, mut rest)| {
        rest.push(first);
        rest
    });
    let interactions = prop::collection::vec(tie, 1..8);
    let exciters = prop::collection::vec((place(), exciter()), 0..3);
    let mallets = prop::collection::vec((place(), mallet()), 0..3);
    (elements, interactions, exciters, mallets, any::<u8>(), rate).prop_map(
        |(elements, interactions, exciters, mallets, modulated, rate)| RandomModel {
            elements,
            interactions,
            exciters,
            mallets,
            modulated,
            rate,
        },
    )
}

impl RandomModel {
    /// The model; interactions of an element with itself or between barriers are left out.
    fn model(&self, scheme: Scheme) -> Model {
        let mut model = Model::new();
        model.scheme = scheme;
        let handles: Vec<ElementId> = self.elements.iter().map(|element| model.add(element.clone())).collect();
        let kind = |place: (usize, f64)| &self.elements[place.0 % self.elements.len()];
        let point = |place: (usize, f64)| {
            let handle = handles[place.0 % handles.len()];
            match kind(place) {
                Element::Mass(_) | Element::Mallet(_) | Element::Barrier(_) => handle.point(),
                Element::String(_) | Element::Bar(_) => handle.at(place.1),
                Element::Modal(_) => handle.point_at(usize::from(place.1 > 0.5)),
                // Two coordinates from one number, within the square that a disc contains.
                Element::Plate(_) => handle.on([place.1, (7.3 * place.1).fract()].map(|at| 0.2 + 0.6 * at)),
            }
        };
        let rigid = |place| matches!(kind(place), Element::Barrier(_));
        let long = |place| matches!(kind(place), Element::String(_) | Element::Bar(_) | Element::Barrier(_));
        let is_line = |place| matches!(kind(place), Element::String(_) | Element::Bar(_));
        let lies_on = |line, plate| is_line(line) && matches!(kind(plate), Element::Plate(_));
        for (below, above, along, law) in self.interactions.iter().cloned() {
            let (from, to) = (point(below), point(above));
            // Hands glide along strings and bars, and stay where they are on the rest.
            let glides = matches!(kind(below), Element::String(_) | Element::Bar(_));
            let way = Control::Breakpoints { time: vec![0.0, 0.02], value: vec![below.1, above.1] };
            let path = if glides { from.element.along(way) } else { from.into() };
            match law {
                Law::Bow(_) | Law::Finger(_) if rigid(below) => continue,
                Law::Bow(bow) => {
                    model.bow(path, bow);
                    continue;
                }
                Law::Finger(finger) => {
                    model.finger(path, finger);
                    continue;
                }
                _ => {}
            }
            if from.element == to.element || rigid(below) && rigid(above) {
                continue;
            }
            let is_plate = |place| matches!(kind(place), Element::Plate(_));
            if along && is_plate(below) && (is_plate(above) || rigid(above)) {
                model.enclose(from.element, to.element, Cavity::of_air(1e-3 + 0.05 * below.1));
                continue;
            }
            match law {
                Law::Collision(law) if along && long(below) && long(above) => {
                    model.collide_along(from.element, to.element, law)
                }
                Law::Collision(law) if along && (lies_on(below, above) || lies_on(above, below)) => {
                    let ends = [[0.25, 0.3], [0.3 + 0.4 * below.1, 0.3 + 0.4 * above.1]];
                    model.collide_on_line(from.element, to.element, ends, law)
                }
                Law::Collision(law) => model.collide(from, to, law),
                Law::Connection(_) | Law::Spring(_) | Law::Damper(_) | Law::Cavity(_) | Law::Custom(_) => {
                    model.interact(from, to, law)
                }
                Law::Bow(_) | Law::Finger(_) | Law::TensionModulation | Law::VonKarman => {
                    unreachable!("done elsewhere")
                }
            };
        }
        for (place, exciter) in self.exciters.iter().filter(|(place, _)| !rigid(*place)) {
            match exciter {
                RandomExciter::Pulse(pulse) => model.pulse(point(*place), *pulse),
                RandomExciter::Pluck(pluck) => model.pluck(point(*place), *pluck),
                RandomExciter::Drive(drive) => model.drive(point(*place), drive.clone()),
            };
        }
        for (index, element) in self.elements.iter().enumerate() {
            let is_held = match element {
                Element::String(string) => !string.ends.contains(&End::Free),
                Element::Bar(bar) => !bar.ends.contains(&End::Free),
                Element::Plate(plate) => {
                    let is_free = |edge: &Edge| matches!(edge, Edge::Free | Edge::FreeFullCell);
                    plate.stretching_modulus.is_some() && !plate.edges.iter().any(is_free)
                }
                _ => false,
            };
            if self.modulated >> index & 1 == 1 && is_held {
                model.modulate_tension(handles[index]);
            }
        }
        for (place, (mallet, law, from_below)) in &self.mallets {
            // Only `tracked` accounts for the loss of felt.
            if matches!(law, Law::Custom(_)) && scheme != Scheme::Tracked {
                continue;
            }
            let (mallet, struck) = (model.add(mallet.clone()).point(), point(*place));
            let [below, above] = if *from_below { [mallet, struck] } else { [struck, mallet] };
            model.interact(below, above, law.clone());
        }
        model
    }

    /// Runs the scene and holds the ledger to the bound. Scenes that cannot be (rings, too fast modes, too stiff springs) are rejected.
    fn check_energy_balance(&self, scheme: Scheme, bound: f64) -> Result<(), TestCaseError> {
        let model = self.model(scheme);
        let mut sim = match model.compile(self.rate) {
            Ok(sim) => sim,
            Err(
                CompileError::ContactCycle { .. }
                | CompileError::GridTooFine { .. }
                | CompileError::GridTooCoarse { .. }
                | CompileError::TooStiff { .. },
            ) => {
                return Err(TestCaseError::reject("no such scene"));
            }
            Err(error) => return Err(TestCaseError::fail(format!("{error:?}"))),
        };
        sim.open_ledger();
        for n in 0..STEPS {
            sim.step();
            // A running maximum passes over NaN, so every step is looked at.
            let total = &sim.ledger().unwrap().total;
            prop_assert!(total.residual.is_finite() && total.scale.is_finite(), "step {n}: {total:?}");
        }
        let ledger = sim.ledger().unwrap();
        let scale = ledger.total.scale;
        prop_assert!(ledger.total.worst_relative <= bound, "{scheme:?}: {:?}", ledger.total);
        for (element, account) in ledger.elements.iter().enumerate() {
            prop_assert!(
                account.worst_residual <= bound * scale,
                "{scheme:?}, element {element}: {account:?}, {scale}"
            );
        }
        for (index, account) in ledger.interactions.iter().enumerate() {
            let (residual, pull) = (account.worst_residual, account.adhesive_impulse);
            prop_assert!(residual <= bound * scale, "{scheme:?}, interaction {index}: {account:?}, scale {scale}");
            let pulls = scheme == Scheme::Tracked && pull != 0.0;
            prop_assert!(!pulls, "interaction {index} pulls: {account:?}");
        }
        let holds = scheme == Scheme::Tracked && ledger.total.worst_open_relative > 0.0;
        prop_assert!(!holds, "an open contact holds energy: {:?}", ledger.total);
        Ok(())
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(250))]

    #[test]
    fn plain_networks_conserve_energy(scene in scene()) {
        scene.check_energy_balance(Scheme::Plain, 1e-11)?;
    }

    #[test]
    fn tracked_networks_conserve_energy_and_never_pull(scene in scene()) {
        scene.check_energy_balance(Scheme::Tracked, 1e-12)?;
    }

    #[test]
    fn newton_networks_conserve_energy(scene in scene()) {
        scene.check_energy_balance(Scheme::Newton, 1e-9)?;
    }
}
