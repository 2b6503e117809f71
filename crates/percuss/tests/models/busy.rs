//! A scene in which every kind of element, interaction and exciter is at work.

use percuss::*;

/// The scene, and a pickup on it.
pub struct BusyScene {
    pub model: Model,
    pub elements: Vec<ElementId>,
    pub contacts: Vec<InteractionId>,
    pub pickup: PickupId,
}

/// `sigma` \[1/s\] damps everything that moves.
pub fn busy(scheme: Scheme, sigma: f64) -> BusyScene {
    let mut model = Model::new();
    model.scheme = scheme;
    let (at, height) = (0.3, 2e-3);
    let long = StiffString { sigma0: sigma, displacement: Shape::Triangle { at, height }, ..StiffString::default() };
    let string = model.add(long);
    let other = model.add(StiffString { sigma0: sigma, grid: Some(33), ..StiffString::steel(0.3e-3) });
    let bar = model.add(Bar { sigma0: sigma, ends: [End::Clamped, End::SimplySupported], ..Bar::default() });
    let mass = model.add(Mass { position: -1e-3, frequency: 100.0, damping: 2.0 * sigma, ..Mass::default() });
    let decay = 1000_f64.ln() / sigma;
    let modes = [100.0, 230.0, 410.0].map(|frequency| Mode { frequency, decay, mass: 1e-3 }).to_vec();
    let modal = model.add(Modal { modes, points: vec![vec![1.0, 0.7, -0.3], vec![-0.2, 0.5, 1.0]] });
    let floor = model.add(Barrier { profile: vec![0.0, 4e-4, 0.0], ..Barrier::at(-1e-3) });
    let sway = Control::Breakpoints { time: vec![0.0, 0.01, 0.02], value: vec![-3e-3, -1e-3, -3e-3] };
    let lift = model.add(Barrier { position: sway, ..Barrier::default() });
    let law = Collision { stiffness: 1e7, loss: 0.1, ..Collision::default() };
    let contacts = vec![
        model.collide_along(floor, string, law),
        model.collide_along(other, string, Collision { gap: 1e-3, ..law }),
        model.collide(mass.point(), string.at(0.47), law),
        model.collide(lift.point(), mass.point(), law),
        model.connect(mass.point(), modal.point_at(0), Connection { play: 1e-4, ..Connection::default() }),
        model.connect(bar.at(0.4), other.at(0.6), Connection { exponent: 1.5, ..Connection::default() }),
        model.spring(bar.at(0.7), modal.point_at(1), Spring { cubic: 1e8, damping: 0.1, ..Spring::default() }),
        model.damper(string.at(0.1), other.at(0.1), Damper { resistance: 0.5 }),
    ];
    model.pulse(bar.at(0.5), Pulse { peak: 30.0, width: 0.3, ..Pulse::default() });
    let values = (0..200).map(|i| (0.3 * f64::from(i)).sin()).collect();
    model.drive(string.at(0.8), Drive::Samples { rate: 11_025.0, values });
    let pickup = model.pickup(string.at(0.21), Quantity::Force);
    BusyScene { model, elements: vec![string, other, bar, mass, modal], contacts, pickup }
}
