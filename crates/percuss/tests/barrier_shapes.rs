//! Shapes of barriers, as strings that lie along them meet them.

use percuss::*;

const RATE: f64 = 44_100.0;

fn string() -> StiffString {
    let displacement = Shape::Triangle { at: 0.3, height: 4e-3 };
    StiffString { length: 0.8, radius: 0.2e-3, tension: 40.0, grid: Some(100), displacement, ..StiffString::default() }
}

/// A plucked string over a barrier at the given height.
fn over(barrier: Barrier) -> (Simulation, ElementId, InteractionId) {
    let mut model = Model::new();
    let (barrier, string) = (model.add(barrier), model.add(string()));
    let law = Collision { stiffness: 1e9, loss: 0.05, ..Collision::default() };
    let contact = model.collide_along(barrier, string, law);
    let mut simulation = model.compile(RATE).unwrap();
    simulation.open_ledger();
    (simulation, string, contact)
}

fn motion((mut simulation, string, _): (Simulation, ElementId, InteractionId)) -> Vec<f64> {
    (0..3000).for_each(|_| simulation.step());
    let total = simulation.ledger().unwrap().total;
    assert!(total.worst_relative < 1e-13 && total.dissipated > 0.0, "{total:?}");
    simulation.displacements(string)
}

fn assert_close(found: &[f64], expected: &[f64], tolerance: f64) {
    for (node, (found, expected)) in found.iter().zip(expected).enumerate() {
        assert!((found - expected).abs() <= tolerance, "node {node}: {found} m, not {expected}");
    }
}

#[test]
fn a_parabola_is_the_polyline_through_its_values_at_the_nodes() {
    let parabola = BarrierShape::Parabola { at: 0.9, width: 0.5, depth: 4e-3 };
    let at: Vec<f64> = (0..=100).map(|node| f64::from(node) / 100.0).collect();
    let curved = Barrier { shape: parabola, ..Barrier::at(-1e-3) };
    let heights: Vec<f64> = at.iter().map(|&at| curved.height(at).unwrap()).collect();
    assert!((heights[40] + 4e-3).abs() < 1e-15 && heights[90].abs() < 1e-15);
    let lines = Barrier { shape: BarrierShape::Polyline { at, height: heights.clone() }, ..Barrier::at(-1e-3) };
    let profile = Barrier { profile: heights, ..Barrier::at(-1e-3) };
    let expected = motion(over(curved));
    assert_close(&motion(over(lines)), &expected, 1e-9);
    assert_close(&motion(over(profile)), &expected, 1e-9);
}

/// What of the barrier is never met may be left out, and then costs nothing.
#[test]
fn a_barrier_from_one_place_to_another_is_one_that_is_far_below_elsewhere() {
    let span = [0.695, 0.905];
    let part = over(Barrier { span, ..Barrier::at(-1e-3) });
    assert_eq!(part.0.contact_blocks().count(), 21, "nodes 70 to 90");
    let steps = BarrierShape::Polyline {
        at: vec![0.0, span[0], span[0], span[1], span[1]],
        height: vec![-1.0, -1.0, 0.0, 0.0, -1.0],
    };
    let whole = over(Barrier { shape: steps, ..Barrier::at(-1e-3) });
    assert_eq!(whole.0.contact_blocks().count(), 99);
    assert_close(&motion(part), &motion(whole), 1e-12);
}

/// The stiffness of a cell that is half covered is half: sums over cells do not jump as an edge moves.
#[test]
fn cells_that_are_cut_off_count_by_their_share() {
    let force_at = |to: f64| {
        let mut model = Model::new();
        let barrier = model.add(Barrier { span: [0.3, to], ..Barrier::at(1e-4) });
        let string = model.add(StiffString { displacement: Shape::Flat, ..string() });
        let law = Collision { stiffness: 1e5, exponent: 1.0, ..Collision::default() };
        let contact = model.collide_along(barrier, string, law);
        let mut simulation = model.compile(RATE).unwrap();
        simulation.step();
        simulation.force(contact)
    };
    let forces: Vec<f64> = (0..=40).map(|n| force_at(0.6 + 0.001 * f64::from(n))).collect();
    let step = forces[40] / 340.0;
    for pair in forces.windows(2) {
        assert!((pair[1] - pair[0] - step).abs() < 0.2 * step, "{pair:?}, {step}");
    }
}

#[test]
fn a_fret_is_a_contact_at_its_place() {
    let law = Collision { stiffness: 1e9, loss: 0.05, ..Collision::default() };
    let (at, height, width) = (vec![0.251, 0.5, 0.64], vec![-1e-3, -1.2e-3, -0.8e-3], 2e-3);
    let frets =
        Barrier { shape: BarrierShape::Frets { at: at.clone(), height: height.clone(), width }, ..Barrier::default() };
    let along = over(frets);
    assert_eq!(along.0.contact_blocks().count(), 3);
    let mut model = Model::new();
    let string = model.add(string());
    let mut contact = None;
    for (at, height) in at.into_iter().zip(height) {
        let fret = model.add(Barrier::at(height));
        contact = Some(model.collide(fret.point(), string.at(at), Collision { stiffness: width * 1e9, ..law }));
    }
    let mut points = model.compile(RATE).unwrap();
    points.open_ledger();
    assert_close(&motion((points, string, contact.unwrap())), &motion(along), 1e-12);
}

#[test]
fn outlines_are_what_is_there() {
    let frets = BarrierShape::Frets { at: vec![0.2, 0.5], height: vec![1.0, 2.0], width: 1e-3 };
    assert_eq!(Barrier { shape: frets, ..Barrier::default() }.outline(9), [[0.2, 1.0], [0.5, 2.0]]);
    let outline = Barrier { span: [0.5, 1.0], profile: vec![0.0, 1.0], ..Barrier::default() }.outline(3);
    assert_eq!(outline, [[0.5, 0.5], [0.75, 0.75], [1.0, 1.0]]);
    assert_eq!(Barrier { span: [0.5, 0.6], ..Barrier::default() }.height(0.4), None);
    let step = BarrierShape::Polyline { at: vec![0.2, 0.4, 0.4], height: vec![1.0, 2.0, 5.0] };
    let step = Barrier { shape: step, ..Barrier::default() };
    for (at, height) in [(0.0, 1.0), (0.3, 1.5), (0.39999, 2.0), (0.4, 5.0), (0.9, 5.0)] {
        assert!((step.height(at).unwrap() - height).abs() < 1e-3, "at {at}");
    }
}

#[test]
fn shapes_that_cannot_be_are_refused() {
    let compiles = |barrier: Barrier| {
        let mut model = Model::new();
        let (barrier, string) = (model.add(barrier), model.add(string()));
        model.collide_along(barrier, string, Collision::default());
        model.compile(RATE).map(drop)
    };
    let shaped = |shape| Barrier { shape, ..Barrier::default() };
    let parabola = |at, width, depth| shaped(BarrierShape::Parabola { at, width, depth });
    let lines =
        |at: &[f64], height: &[f64]| shaped(BarrierShape::Polyline { at: at.to_vec(), height: height.to_vec() });
    let frets = |at: &[f64], height: &[f64], width| {
        shaped(BarrierShape::Frets { at: at.to_vec(), height: height.to_vec(), width })
    };
    for good in [parabola(0.5, 0.1, -1e-3), lines(&[0.5, 0.5], &[0.0, 1.0]), frets(&[0.5], &[0.0], 1e-3)] {
        assert_eq!(compiles(good), Ok(()));
    }
    let nan = f64::NAN;
    let wrong = [
        parabola(nan, 0.1, 1e-3),
        parabola(1.1, 0.1, 1e-3),
        parabola(0.5, 0.0, 1e-3),
        parabola(0.5, nan, 1e-3),
        parabola(0.5, 0.1, f64::INFINITY),
        lines(&[], &[]),
        lines(&[0.2, 0.1], &[0.0, 0.0]),
        lines(&[0.2, nan], &[0.0, 0.0]),
        lines(&[0.2], &[0.0, 0.0]),
        lines(&[0.2], &[nan]),
        lines(&[-0.2], &[0.0]),
        frets(&[0.2, 0.2], &[0.0, 0.0], 1e-3),
        frets(&[0.2], &[0.0], 0.0),
        frets(&[0.2], &[0.0], nan),
        Barrier { span: [0.5, 0.5], ..Barrier::default() },
        Barrier { span: [nan, 0.5], ..Barrier::default() },
        Barrier { span: [0.0, 1.5], ..Barrier::default() },
        Barrier { profile: vec![0.0, 1.0], ..parabola(0.5, 0.1, 1e-3) },
    ];
    for barrier in wrong {
        let found = compiles(barrier.clone());
        assert!(matches!(found, Err(CompileError::Parameter { .. })), "{barrier:?}: {found:?}");
    }
    // A contact at one place needs the barrier there.
    let mut model = Model::new();
    let (barrier, string) = (model.add(Barrier { span: [0.5, 1.0], ..Barrier::default() }), model.add(string()));
    model.collide(barrier.at(0.2), string.at(0.2), Collision::default());
    assert!(matches!(model.compile(RATE), Err(CompileError::Place { .. })));
}
