//! Random plates and membranes with touches that move, shared by the tests of energy.

use percuss::*;
use proptest::prelude::*;

pub const EDGES: [Edge; 4] = [Edge::SimplySupported, Edge::Clamped, Edge::Free, Edge::FreeFullCell];

fn edges() -> impl Strategy<Value = [Edge; 4]> {
    [0..4_usize, 0..4, 0..4, 0..4].prop_map(|kinds| kinds.map(|kind| EDGES[kind]))
}

/// A value that wanders between two bounds within a tenth of a second.
fn wander(low: f64, high: f64) -> impl Strategy<Value = Control> {
    prop::collection::vec(low..high, 2..6).prop_map(|value| {
        let time = (0..value.len()).map(|i| 0.02 * i as f64).collect();
        Control::Breakpoints { time, value }
    })
}

fn region() -> impl Strategy<Value = Region> {
    let centre = || [wander(0.0, 1.0), wander(0.0, 1.0)];
    prop_oneof![
        Just(Region::Everywhere),
        (centre(), wander(0.0, 0.1)).prop_map(|(centre, radius)| Region::Circle { centre, radius }),
        (centre(), wander(0.05, 0.2)).prop_map(|(centre, radius)| Region::OutsideCircle { centre, radius }),
        (centre(), [wander(0.0, 0.1), wander(0.0, 0.1)]).prop_map(|(centre, size)| Region::Rectangle { centre, size }),
        ([-1.0..1.0, 0.1..1.0], wander(0.0, 1.0)).prop_map(|(direction, level)| Region::HalfPlane { direction, level }),
        prop::collection::vec(0.0..1.0, 35).prop_map(|values| Region::Image { width: 7, values }),
    ]
}

fn touch() -> impl Strategy<Value = Touch> {
    (region(), wander(0.0, 1.0), 0.0..40.0, 0.0..8.0, 0.0..1000.0).prop_map(
        |(region, pressure, mass, power, damping)| Touch {
            region,
            pressure,
            mass,
            stiffness: 10_f64.powf(power),
            damping,
        },
    )
}

/// The same plate as a disc, its rim held as its first edge is, as far as a rim can be.
pub fn round(plate: Plate) -> Plate {
    let rim = match plate.edges[0] {
        Edge::Free | Edge::FreeFullCell => Edge::Free,
        Edge::SimplySupported | Edge::Clamped => Edge::Clamped,
    };
    Plate { outline: Outline::Disc, size: [plate.size[0]; 2], edges: [rim; 4], ..plate }
}

pub fn plate() -> impl Strategy<Value = Plate> {
    let shape = ([0.1..0.3, 0.1..0.3], 1e-3..4e-3, edges(), prop_oneof![Just(0.0), 1.0..2000.0]);
    (shape, 0.0..5.0, 0.0..3e-3, prop::collection::vec(touch(), 0..3), 1..300_usize, any::<bool>()).prop_map(
        |((size, thickness, edges, tension), sigma0, sigma1, touches, control_interval, membrane)| {
            let plate =
                Plate { edges, tension, sigma0, sigma1, touches, control_interval, ..Plate::steel(size, thickness) };
            if membrane {
                Plate { youngs_modulus: 0.0, tension: tension + 500.0, density: 1000.0, thickness: 0.3e-3, ..plate }
            } else {
                plate
            }
        },
    )
}
