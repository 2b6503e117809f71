//! Everything wrong with a model is found when it is compiled, with where and how much; nothing panics.

use percuss::*;
use proptest::prelude::*;

const RATE: f64 = 44_100.0;

fn refuse(model: &Model) -> CompileError {
    let error = model.compile(RATE).expect_err("this model must be refused");
    assert!(!error.to_string().is_empty());
    error
}

/// A mass and a string to build on: elements 0 and 1.
fn pair() -> (Model, ElementId, ElementId) {
    let mut model = Model::new();
    let mass = model.add(Mass::default());
    let string = model.add(StiffString::default());
    (model, mass, string)
}

/// The error must be about `field` of `subject` with the value that was given.
#[track_caller]
fn assert_parameter(model: &Model, subject: Subject, field: &str, value: f64) {
    match refuse(model) {
        CompileError::Parameter { subject: found, field: named, value: given, .. } => {
            assert_eq!((found, named, given.to_bits()), (subject, field, value.to_bits()));
        }
        other => panic!("{field} = {value}: {other:?}"),
    }
}

const NOT_NUMBERS: [f64; 3] = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY];

/// Puts NaN and ±∞ into one field after the other of an element.
macro_rules! element_fields {
    ($kind:ident, $($field:ident),*) => {$(
        for bad in NOT_NUMBERS {
            let mut model = Model::new();
            model.add(Mass::default());
            model.add($kind { $field: bad, ..$kind::default() });
            assert_parameter(&model, Subject::Element(1), stringify!($field), bad);
        }
    )*};
}

/// The same for a law between the mass and the string.
macro_rules! law_fields {
    ($add:ident, $kind:ident, $($field:ident),*) => {$(
        for bad in NOT_NUMBERS {
            let (mut model, mass, string) = pair();
            model.$add(mass.point(), string.at(0.5), $kind { $field: bad, ..$kind::default() });
            assert_parameter(&model, Subject::Interaction(0), stringify!($field), bad);
        }
    )*};
}

#[test]
fn fields_that_are_not_numbers_are_named() {
    element_fields!(Mass, mass, position, velocity, frequency, damping, gravity);
    element_fields!(StiffString, length, radius, density, youngs_modulus, tension, sigma0, sigma1);
    element_fields!(Bar, length, width, thickness, density, youngs_modulus, sigma0, sigma1);
    law_fields!(collide, Collision, stiffness, exponent, loss, gap);
    law_fields!(connect, Connection, stiffness, exponent, play, gap);
    law_fields!(spring, Spring, stiffness, cubic, damping, gap);
    for bad in NOT_NUMBERS {
        assert_parameter_of_modes_and_barriers(bad);
        assert_parameter_of_shapes_and_exciters(bad);
        let (mut model, mass, string) = pair();
        model.collide(mass.point(), string.at(bad), Collision::default());
        assert_parameter(&model, Subject::Interaction(0), "at", bad);
        let (mut model, mass, string) = pair();
        model.damper(mass.point(), string.at(0.5), Damper { resistance: bad });
        assert_parameter(&model, Subject::Interaction(0), "resistance", bad);
        assert!(matches!(pair().0.compile(bad), Err(CompileError::Parameter { field: "sample_rate", .. })));
    }
}

fn assert_parameter_of_modes_and_barriers(bad: f64) {
    let with = |element: Element| {
        let mut model = Model::new();
        model.add(Mass::default());
        model.add(element);
        model
    };
    let good = Mode { frequency: 100.0, decay: 1.0, mass: 1e-3 };
    let modal = |mode, gain| with(Modal { modes: vec![mode], points: vec![vec![gain]] }.into());
    let second = Subject::Element(1);
    assert_parameter(&modal(Mode { frequency: bad, ..good }, 1.0), second, "frequency", bad);
    assert_parameter(&modal(Mode { mass: bad, ..good }, 1.0), second, "mass", bad);
    assert_parameter(&modal(good, bad), second, "points", bad);
    if bad != f64::INFINITY {
        // An endless decay is a lossless mode.
        assert_parameter(&modal(Mode { decay: bad, ..good }, 1.0), second, "decay", bad);
    }
    assert_parameter(&with(Barrier::at(bad).into()), second, "position", bad);
    let wavy = Barrier { profile: vec![0.0, bad], ..Barrier::at(0.0) };
    assert_parameter(&with(wavy.into()), second, "profile", bad);
}

fn assert_parameter_of_shapes_and_exciters(bad: f64) {
    let bent = |displacement| {
        let mut model = Model::new();
        model.add(StiffString { displacement, ..StiffString::default() });
        model
    };
    let (first, at, width, height) = (Subject::Element(0), 0.5, 0.2, 1e-3);
    assert_parameter(&bent(Shape::Triangle { at: bad, height }), first, "at", bad);
    assert_parameter(&bent(Shape::Triangle { at, height: bad }), first, "height", bad);
    assert_parameter(&bent(Shape::RaisedCosine { at: bad, width, height }), first, "at", bad);
    assert_parameter(&bent(Shape::RaisedCosine { at, width: bad, height }), first, "width", bad);
    assert_parameter(&bent(Shape::RaisedCosine { at, width, height: bad }), first, "height", bad);
    let pulsed = |pulse| {
        let (mut model, _, string) = pair();
        model.pulse(string.at(0.5), pulse);
        model
    };
    let driven = |drive| {
        let (mut model, mass, _) = pair();
        model.drive(mass.point(), drive);
        model
    };
    let (first, good) = (Subject::Exciter(0), Pulse::default());
    assert_parameter(&pulsed(Pulse { time: bad, ..good }), first, "time", bad);
    assert_parameter(&pulsed(Pulse { duration: bad, ..good }), first, "duration", bad);
    assert_parameter(&pulsed(Pulse { peak: bad, ..good }), first, "peak", bad);
    assert_parameter(&pulsed(Pulse { width: bad, ..good }), first, "width", bad);
    assert_parameter(&driven(Drive::Control(bad.into())), first, "force", bad);
    assert_parameter(&driven(Drive::Samples { rate: bad, values: vec![1.0] }), first, "rate", bad);
    assert_parameter(&driven(Drive::Samples { rate: 1.0, values: vec![1.0, bad] }), first, "force", bad);
}

#[test]
fn breakpoints_out_of_order_or_number_are_refused() {
    let bad: [(Vec<f64>, Vec<f64>); 4] =
        [(vec![], vec![]), (vec![0.0], vec![]), (vec![1.0, 0.0], vec![0.0; 2]), (vec![0.0, f64::NAN], vec![0.0; 2])];
    for (time, value) in bad {
        let (mut model, ..) = pair();
        let count = time.len() as f64;
        model.add(Barrier { position: Control::Breakpoints { time, value }, ..Barrier::default() });
        assert_parameter(&model, Subject::Element(2), "position", count);
    }
}

#[test]
fn grids_that_cannot_be_are_refused_with_their_numbers() {
    let string =
        |grid| StiffString { grid, method: Method::Grid, sigma1: 0.0, youngs_modulus: 0.0, ..StiffString::default() };
    let with = |string: StiffString| {
        let mut model = Model::new();
        model.add(Mass::default());
        model.add(string);
        model
    };
    // h ≥ ck: as many intervals as steps on the way along the string.
    let speed = (100.0 / (7850.0 * std::f64::consts::PI * 0.25e-6)).sqrt();
    let maximum = (RATE / speed) as usize;
    let subject = Subject::Element(1);
    assert!(with(string(Some(maximum))).compile(RATE).is_ok());
    let fine = CompileError::GridTooFine { subject, requested: maximum + 1, maximum, rate: RATE };
    assert_close(refuse(&with(string(Some(maximum + 1)))), fine);
    let coarse = CompileError::GridTooCoarse { subject, intervals: 3, rate: RATE };
    assert_close(refuse(&with(string(Some(3)))), coarse);
    let short = StiffString { length: 0.01, ..string(None) };
    let intervals = (0.01 * RATE / speed) as usize;
    assert_close(refuse(&with(short)), CompileError::GridTooCoarse { subject, intervals, rate: RATE });
    let endless = StiffString { length: 1e5, ..string(None) };
    match refuse(&with(endless)) {
        CompileError::GridTooLarge { subject: found, intervals, maximum: 1_000_000 } => {
            assert_eq!(found, subject);
            assert!((intervals / (1e5 * RATE / speed) - 1.0).abs() < 1e-12);
        }
        other => panic!("{other:?}"),
    }
}

/// Equal but for the rounding of 1/(1/rate).
#[track_caller]
fn assert_close(found: CompileError, expected: CompileError) {
    let rounded = |error: CompileError| match error {
        CompileError::GridTooFine { subject, requested, maximum, rate } => {
            CompileError::GridTooFine { subject, requested, maximum, rate: rate.round() }
        }
        CompileError::GridTooCoarse { subject, intervals, rate } => {
            CompileError::GridTooCoarse { subject, intervals, rate: rate.round() }
        }
        other => other,
    };
    assert_eq!(rounded(found), rounded(expected));
}

#[test]
fn oscillators_too_fast_for_the_rate_are_refused_with_the_limit() {
    let limits: [(Element, f64); 2] = [
        (Mass { frequency: 14_100.0, ..Mass::default() }.into(), RATE / std::f64::consts::PI),
        (Modal { modes: vec![Mode { frequency: 22_050.0, decay: 1.0, mass: 1.0 }], points: vec![] }.into(), RATE / 2.0),
    ];
    for (element, limit) in limits {
        let mut model = Model::new();
        model.add(element);
        let CompileError::FrequencyTooHigh { subject, frequency, maximum, rate } = refuse(&model) else { panic!() };
        assert_eq!(subject, Subject::Element(0));
        assert!(frequency >= limit && (maximum / limit - 1.0).abs() < 1e-12 && (rate / RATE - 1.0).abs() < 1e-12);
    }
}

#[test]
fn places_an_element_does_not_have_are_refused() {
    let hit = |below: fn(ElementId, ElementId) -> Point| {
        let (mut model, mass, string) = pair();
        let modal = Modal { modes: vec![Mode { frequency: 9.0, decay: 1.0, mass: 1.0 }], points: vec![vec![1.0]] };
        let modal = model.add(modal);
        let other = model.add(Mass::default());
        model.collide(other.point(), mass.point(), Collision::default());
        model.collide(below(string, modal), mass.point(), Collision::default());
        refuse(&model)
    };
    for error in [hit(|string, _| string.point()), hit(|string, _| string.point_at(0)), hit(|_, modal| modal.point())] {
        assert!(matches!(error, CompileError::Place { subject: Subject::Interaction(1), .. }), "{error:?}");
    }
    let error = hit(|_, modal| modal.point_at(1));
    assert!(matches!(error, CompileError::Place { element: "a modal resonator", .. }), "{error:?}");
    let (mut model, mass, _) = pair();
    model.pickup(mass.at(0.5), Quantity::Velocity);
    assert_eq!(refuse(&model).subject(), Subject::Pickup(0));
    let (mut model, mass, string) = pair();
    model.collide_along(mass, string, Collision::default());
    assert!(matches!(refuse(&model), CompileError::Place { element: "mass", .. }));
    let (mut model, ..) = pair();
    let barrier = model.add(Barrier::at(0.0));
    model.pickup(barrier.point(), Quantity::Force);
    assert!(matches!(refuse(&model), CompileError::Place { subject: Subject::Pickup(0), .. }));
}

#[test]
fn what_cannot_move_cannot_be_driven_or_hit() {
    let (mut model, _, string) = pair();
    model.pulse(string.at(0.0), Pulse::default());
    assert!(matches!(refuse(&model), CompileError::Immovable { subject: Subject::Exciter(0), .. }));
    let (mut model, _, string) = pair();
    let barrier = model.add(Barrier::at(0.0));
    model.collide(string.at(1.0), barrier.point(), Collision::default());
    assert!(matches!(refuse(&model), CompileError::Immovable { subject: Subject::Interaction(0), .. }));
    let (mut model, ..) = pair();
    let barriers = [0.0, 1.0].map(|height| model.add(Barrier::at(height)));
    model.collide_along(barriers[0], barriers[1], Collision::default());
    assert!(matches!(refuse(&model), CompileError::Immovable { subject: Subject::Interaction(0), .. }));
}

#[test]
fn handles_of_another_model_are_refused() {
    let (_, _, foreign) = pair();
    let mut model = Model::new();
    let mass = model.add(Mass::default());
    model.collide(mass.point(), foreign.at(0.5), Collision::default());
    assert_eq!(refuse(&model).subject(), Subject::Interaction(0));
}

#[test]
fn self_contacts_empty_models_and_tight_rings_are_refused() {
    let (mut model, _, string) = pair();
    model.collide(string.at(0.2), string.at(0.7), Collision::default());
    assert_eq!(refuse(&model), CompileError::SelfContact { subject: Subject::Interaction(0) });

    assert_eq!(refuse(&Model::new()), CompileError::Empty);
    let mut model = Model::new();
    model.add(Barrier::at(0.0));
    assert_eq!(refuse(&model), CompileError::Empty);
    assert_eq!(CompileError::Empty.subject(), Subject::Model);

    let ring = |gaps: [f64; 3]| {
        let mut model = Model::new();
        let masses = [0.0; 3].map(|position| model.add(Mass { position, ..Mass::default() }).point());
        for (i, gap) in gaps.into_iter().enumerate() {
            model.collide(masses[i], masses[(i + 1) % 3], Collision { gap, ..Collision::default() });
        }
        model
    };
    for gaps in [[0.0; 3], [-1e-3, 2e-3, -1e-3], [-1e-3; 3]] {
        let CompileError::ContactCycle { subject: Subject::Interaction(_), clearance } = refuse(&ring(gaps)) else {
            panic!()
        };
        assert!((clearance - gaps.iter().sum::<f64>()).abs() < 1e-15);
    }
    assert!(ring([-1e-3, 2e-3, 1e-3]).compile(RATE).is_ok());
}

/// Any number at all: NaN, infinities, subnormals, zero and both signs included.
fn any_number() -> BoxedStrategy<f64> {
    prop::num::f64::ANY.boxed()
}

/// Thirty orders of magnitude to either side of 1.
fn any_magnitude() -> BoxedStrategy<f64> {
    (-30.0..30.0).prop_map(|exponent| 10_f64.powf(exponent)).boxed()
}

/// A mass and a mallet striking a string, with sensible numbers and, about every third, a strange one.
fn wild_model(strange: fn() -> BoxedStrategy<f64>) -> impl Strategy<Value = Model> {
    let wild = move |sensible: f64| prop_oneof![2 => Just(sensible), 1 => strange()];
    let mass = (wild(1e-3), wild(0.0), wild(1.0), wild(100.0), wild(1.0), wild(9.8), wild(0.0));
    let string = (wild(1.0), wild(5e-4), wild(7850.0), wild(2e11), wild(100.0), wild(1.0), wild(0.005));
    let law = (wild(1e8), wild(1.5), wild(0.1), wild(0.0));
    let mallet = (wild(1e-2), wild(5e-4), wild(1.0), wild(1e-2));
    (mass, string, law, wild(0.5), mallet).prop_map(|(m, s, law, at, mallet)| {
        let mut model = Model::new();
        let (position, velocity) = (m.1, m.2);
        let mass = Mass { mass: m.0, position, velocity, frequency: m.3, damping: m.4, gravity: m.5, start: m.6 };
        let section = StiffString { length: s.0, radius: s.1, density: s.2, ..StiffString::default() };
        let string = StiffString { youngs_modulus: s.3, tension: s.4, sigma0: s.5, sigma1: s.6, ..section };
        let (mass, string) = (model.add(mass), model.add(string));
        let law = Collision { stiffness: law.0, exponent: law.1, loss: law.2, gap: law.3 };
        model.collide(mass.point(), string.at(at), law);
        let blows = vec![Blow { time: mallet.1, speed: mallet.2 }];
        let mallet = model.add(Mallet { mass: mallet.0, blows, retreat: mallet.3 });
        model.collide(string.at(0.3), mallet.point(), law);
        model
    })
}

fn with_scheme(model: &Model, scheme: Scheme) -> Model {
    let mut model = model.clone();
    model.scheme = scheme;
    model
}

/// All displacements after 50 steps, where the model can be compiled.
fn after_a_while(model: &Model) -> Option<Vec<f64>> {
    let mut sim = model.compile(RATE).ok()?;
    (0..50).for_each(|_| sim.step());
    let sides = model.interactions().iter().map(|interaction| (interaction.below.element, interaction.above));
    let touched = sides.flat_map(|(below, above)| std::iter::once(below).chain(above.map(|point| point.element)));
    Some(touched.flat_map(|element| sim.displacements(element)).collect())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]

    #[test]
    fn no_numbers_make_compiling_or_stepping_panic(model in wild_model(any_number)) {
        let _ = after_a_while(&model);
    }

    #[test]
    fn what_compiles_stays_finite(model in wild_model(any_magnitude)) {
        for scheme in [Scheme::Plain, Scheme::Tracked] {
            let end = after_a_while(&with_scheme(&model, scheme));
            prop_assert!(end.is_none_or(|end| end.iter().all(|u| u.is_finite())), "{scheme:?}");
        }
    }

    #[test]
    fn what_compiles_stays_finite_under_iteration(model in wild_model(any_magnitude)) {
        let end = after_a_while(&with_scheme(&model, Scheme::Newton));
        prop_assert!(end.is_none_or(|end| end.iter().all(|u| u.is_finite())));
    }
}
