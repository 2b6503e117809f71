//! Every preset gives the same samples in blocks of any size, after a reset, in a copy, and with the ledger open, without
//! allocating.

use assert_no_alloc::{AllocDisabler, assert_no_alloc};
use percuss::{PickupId, Simulation};
use percuss_scene::{Scene, parse, presets};

#[global_allocator]
static ALLOCATOR: AllocDisabler = AllocDisabler;

/// Samples of each run: more than two control intervals of touches and several resyncs of the rows.
const LENGTH: usize = 1200;
/// Time before the first sample, so that bows, fingers and touches are active \[s\].
const LEAD_IN: f64 = 0.05;

fn simulation(scene: &Scene) -> (Simulation, Vec<PickupId>) {
    let mut simulation = scene.compile(scene.sample_rate).unwrap_or_else(|error| panic!("{error}"));
    (0..(LEAD_IN * scene.sample_rate) as usize).for_each(|_| simulation.step());
    let outputs = scene.outputs.iter().map(|output| output.pickup);
    (simulation, outputs.chain(scene.probes.iter().map(|probe| probe.pickup)).collect())
}

/// The next samples of all pickups, in blocks of a size.
fn samples(simulation: &mut Simulation, pickups: &[PickupId], block: usize) -> Vec<Vec<f64>> {
    let mut channels = vec![vec![0.0; LENGTH]; pickups.len()];
    for start in (0..LENGTH).step_by(block) {
        let end = (start + block).min(LENGTH);
        let mut views: Vec<&mut [f64]> = channels.iter_mut().map(|channel| &mut channel[start..end]).collect();
        let length = assert_no_alloc(|| simulation.process(pickups, &mut views));
        assert_eq!(length, end - start);
    }
    channels
}

fn each_preset(check: impl Fn(&str, &Scene)) {
    for preset in presets::all() {
        let scene = parse(preset.text, preset.name).unwrap_or_else(|errors| panic!("{}", errors[0]));
        check(preset.name, &scene);
    }
}

#[test]
fn blocks_copies_and_resets_do_not_change_samples() {
    each_preset(|name, scene| {
        let (start, pickups) = simulation(scene);
        let one_by_one = samples(&mut start.clone(), &pickups, 1);
        assert!(one_by_one.iter().flatten().any(|&sample| sample != 0.0), "{name} is silent");
        for block in [7, 64, LENGTH] {
            assert!(samples(&mut start.clone(), &pickups, block) == one_by_one, "{name}, blocks of {block}");
        }
        let mut simulation = start;
        samples(&mut simulation, &pickups, 100);
        assert_no_alloc(|| simulation.reset());
        (0..(LEAD_IN * scene.sample_rate) as usize).for_each(|_| simulation.step());
        assert!(samples(&mut simulation, &pickups, 100) == one_by_one, "{name} after a reset");
    });
}

/// With an open ledger, modal plates apply forces one step earlier, and plates keep du: both change rounding only.
#[test]
fn an_open_ledger_changes_rounding_only() {
    each_preset(|name, scene| {
        let (mut closed, pickups) = simulation(scene);
        let mut open = closed.clone();
        open.open_ledger();
        let [expected, found] = [&mut closed, &mut open].map(|simulation| samples(simulation, &pickups, 50));
        for (expected, found) in expected.iter().zip(&found) {
            let peak = expected.iter().fold(0.0_f64, |peak, sample| peak.max(sample.abs()));
            let deviation = expected.iter().zip(found).fold(0.0_f64, |max, (a, b)| max.max((a - b).abs()));
            // Contacts amplify rounding errors, in rattling scenes by several orders of magnitude.
            assert!(deviation <= 1e-9 * peak, "{name}: {:e} of the peak", deviation / peak);
        }
    });
}
