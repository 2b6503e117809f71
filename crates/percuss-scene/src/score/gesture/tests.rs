use super::*;

fn stroke(start: f64, end: f64, finger: Option<(f64, f64)>) -> BowStroke {
    BowStroke {
        start,
        end,
        attack: 0.05,
        release: 0.1,
        force: 0.3,
        velocity: 0.1,
        bow_at: 0.2,
        finger,
        harmonic: None,
        expression: Control::Constant(1.0),
    }
}

/// A harmonic on a string whose bridge is at its end.
fn harmonic(start: f64, end: f64, n: u32) -> BowStroke {
    let node = 1.0 / f64::from(n);
    BowStroke { harmonic: Some((n, node)), ..stroke(start, end, (n > 1).then_some((node, 1.0))) }
}

#[test]
fn a_harmonic_is_damped_before_a_divisor_of_it() {
    let gestures = |n: u32| Gestures::new(&[harmonic(0.0, 1.0, 8), harmonic(1.0, 2.0, n)], 0.2);
    for n in [1, 2, 4] {
        let gestures = gestures(n);
        assert_eq!((gestures.finger_at.at(0.5), gestures.pressure.at(0.5)), (0.125, 1.0));
        assert!((gestures.finger_at.at(0.98) - 0.075).abs() < 1e-12 && gestures.pressure.at(0.98) == 1.0, "to {n}");
        assert_eq!(gestures.pressure.at(1.5), if n == 1 { 0.0 } else { 1.0 });
        // The finger is lifted whenever its place changes.
        for t in gestures.finger_at.times() {
            assert!(gestures.pressure.at(*t) < 1e-12, "at {t} s");
        }
    }
    for n in [3, 5, 6, 8, 16] {
        assert!(gestures(n).finger_at.values().iter().all(|&at| at == 0.125 || at == 1.0 / f64::from(n)), "to {n}");
    }
}

fn all_controls(gestures: &Gestures) -> [&Control; 5] {
    [&gestures.force, &gestures.velocity, &gestures.bow_at, &gestures.finger_at, &gestures.pressure]
}

#[test]
fn force_rises_holds_and_falls() {
    let Gestures { force, velocity, bow_at, .. } = Gestures::new(&[stroke(1.0, 2.0, None)], 0.4);
    for (t, expected) in [(0.0, 0.0), (1.0, 0.0), (1.02, 0.15), (1.5, 0.3), (1.95, 0.15), (2.0, 0.0), (9.0, 0.0)] {
        assert!((force.at(t) - expected).abs() < 1e-12, "at {t} s: {}", force.at(t));
    }
    assert_eq!((velocity.at(0.9), velocity.at(1.999), velocity.at(2.0)), (0.0, 0.1, 0.0));
    assert_eq!((velocity.at(1.039), velocity.at(1.05)), (0.0, 0.1), "the velocity starts after the force");
    assert_eq!(bow_at, Control::Constant(0.2));
}

#[test]
fn the_finger_is_lifted_whenever_it_jumps() {
    let strokes = [
        stroke(0.0, 0.5, Some((0.5, 1.0))),
        stroke(0.5, 0.51, Some((0.25, 1.0))),
        stroke(0.51, 2.0, Some((0.4, 0.7))),
        stroke(3.0, 4.0, None),
        stroke(4.0, 5.0, Some((0.4, 0.7))),
    ];
    let gestures = Gestures::new(&strokes, 0.2);
    let Control::Breakpoints { time, value } = &gestures.finger_at else { panic!("no breakpoints") };
    for jump in time.windows(2).zip(value.windows(2)).filter(|(_, value)| value[0] != value[1]) {
        assert_eq!(jump.0[0], jump.0[1], "the place jumps");
        assert_eq!(gestures.pressure.at(jump.0[0]), 0.0);
        assert_eq!(gestures.pressure.at(jump.0[0] - 1e-4), 0.0, "the finger is lifted before");
    }
    assert_eq!((gestures.pressure.at(0.25), gestures.pressure.at(1.0), gestures.pressure.at(3.5)), (1.0, 0.7, 0.0));
}

#[test]
fn the_finger_stays_down_from_note_to_note_at_the_same_place() {
    let strokes = [stroke(0.0, 1.0, Some((0.5, 1.0))), stroke(1.0, 2.0, Some((0.5, 1.0)))];
    let gestures = Gestures::new(&strokes, 0.2);
    assert_eq!(gestures.pressure.at(1.0), 1.0);
    assert_eq!(gestures.force.at(1.0), 0.0, "the bow starts again");
    assert_eq!(gestures.finger_at, Control::Constant(0.5));
}

#[test]
fn the_bow_moves_only_while_it_is_lifted() {
    let mut strokes = [stroke(0.0, 1.0, None), stroke(1.0, 2.0, None)];
    strokes[1].bow_at = 0.1;
    let gestures = Gestures::new(&strokes, 0.2);
    assert_eq!((gestures.bow_at.at(0.999), gestures.bow_at.at(1.0)), (0.2, 0.1));
    assert_eq!(gestures.force.at(1.0), 0.0);
}

#[test]
fn expression_scales_the_force_within_the_note() {
    let mut expressive = stroke(1.0, 2.0, None);
    expressive.expression = Control::Breakpoints { time: vec![0.0, 1.4, 1.6, 3.0], value: vec![0.5, 0.5, 1.0, 1.0] };
    let force = Gestures::new(&[expressive], 0.2).force;
    for (t, expected) in [(1.2, 0.15), (1.5, 0.225), (1.7, 0.3), (2.5, 0.0)] {
        assert!((force.at(t) - expected).abs() < 1e-12, "at {t} s: {}", force.at(t));
    }
}

#[test]
fn breakpoints_are_in_order_and_not_negative_for_any_notes() {
    // Durations from 1 ms to 1 s, ramps longer than the notes, with and without gaps.
    let mut strokes = Vec::new();
    let mut time = 0.0;
    for i in 0..200_u32 {
        let length = 1e-3 * f64::from(1 + (i * 37) % 1000);
        let finger = (i % 3 != 0).then(|| (f64::from(i % 5) / 5.0, f64::from(i % 4) / 4.0));
        let mut next = stroke(time, time + length, finger);
        (next.attack, next.release) = (0.01 * f64::from(i % 30), 0.02 * f64::from(i % 7));
        next.bow_at = 0.1 + 0.01 * f64::from(i % 4);
        let times = vec![time, time + 0.3 * length, time + 0.3 * length, time + 2.0 * length];
        next.expression = Control::Breakpoints { time: times, value: vec![0.0, 1.0, 0.5, 2.0] };
        strokes.push(next);
        time += length + 0.1 * f64::from(i % 2);
    }
    let gestures = Gestures::new(&strokes, 0.2);
    assert!(all_controls(&gestures).iter().all(|control| control.is_well_formed()));
    for control in [&gestures.force, &gestures.pressure] {
        assert!(control.values().iter().all(|&value| value >= 0.0));
    }
    let is_within = |control: &Control| control.values().iter().all(|at| (0.0..=1.0).contains(at));
    assert!(is_within(&gestures.bow_at) && is_within(&gestures.finger_at) && is_within(&gestures.pressure));
}

#[test]
fn without_notes_all_controls_are_constant() {
    let gestures = Gestures::new(&[], 0.2);
    assert!(all_controls(&gestures).iter().all(|control| matches!(control, Control::Constant(_))));
    assert_eq!((gestures.force.at(1.0), gestures.pressure.at(1.0), gestures.bow_at.at(1.0)), (0.0, 0.0, 0.2));
}
