//! Presets: energy balance in every scheme, no adhesive contact, audible output.

use percuss::{Law, Ledger, Scheme};
use percuss_scene::{Scene, parse, presets};

/// Renders a preset with one scheme, up to a time \[s\]; returns the mixed-down first channel and the ledger.
fn render(scene: &mut Scene, scheme: Scheme, until: f64) -> (Vec<f64>, Ledger) {
    scene.model.scheme = scheme;
    let mut simulation = scene.compile(scene.sample_rate).unwrap_or_else(|error| panic!("{error}"));
    simulation.open_ledger();
    let samples = (0..(scene.duration.min(until) * scene.sample_rate) as usize).map(|_| {
        simulation.step();
        scene.outputs.iter().map(|output| scene.channel_gain(output, 0) * simulation.read(output.pickup)).sum()
    });
    let samples = samples.collect();
    (samples, simulation.ledger().expect("open").clone())
}

fn preset(name: &str) -> Scene {
    let preset = presets::find(name).expect("a preset");
    parse(preset.text, preset.name).unwrap_or_else(|errors| panic!("{}", errors[0]))
}

/// Time up to which presets are rendered in schemes other than their own \[s\]: the last one that is struck sounds by then.
const OTHER_SCHEMES_UNTIL: f64 = 2.0;

/// Renders a preset in every scheme and checks balance, adhesion and output.
fn check_preset(name: &str) {
    let mut scene = preset(name);
    let has_contacts = !scene.interaction_names.is_empty();
    let has_law = |is_law: fn(&Law) -> bool| scene.model.interactions().iter().any(|contact| is_law(&contact.law));
    let has_felt = has_law(|law| matches!(law, Law::Custom(_)));
    let bends_far = has_law(|law| matches!(law, Law::VonKarman));
    for (scheme, bound) in [(Scheme::Tracked, 1e-12), (Scheme::Plain, 1e-12), (Scheme::Newton, 1e-9)] {
        if scheme != Scheme::Tracked && !has_contacts {
            continue; // without contacts all schemes are equal
        }
        if scheme != Scheme::Tracked && has_felt {
            continue; // felt needs the tracked scheme
        }
        if scheme == Scheme::Newton && bends_far {
            continue; // stretching has no discrete gradient
        }
        let until = if scheme == Scheme::Tracked { f64::INFINITY } else { OTHER_SCHEMES_UNTIL };
        let (samples, ledger) = render(&mut scene, scheme, until);
        let worst = ledger.total.worst_relative;
        println!("{name:20} {scheme:?} worst residual {worst:.1e}");
        assert!(worst <= bound, "{name} {scheme:?}: {worst:e}");
        assert!(samples.iter().all(|sample| sample.is_finite()));
        assert!(samples.iter().any(|sample| sample.abs() > 1e-3), "{name} is silent");
        if scheme == Scheme::Tracked {
            for (contact, id) in ledger.interactions.iter().zip(&scene.interaction_names) {
                assert!(contact.hits > 0, "{name} {id} never touches");
                assert_eq!(contact.adhesive_impulse, 0.0, "{name} {id} pulls");
            }
            assert_eq!(ledger.total.worst_open_relative, 0.0, "{name}: an open contact holds energy");
        }
    }
}

// Two tests, so that they run in parallel.
#[test]
fn energy_balances_and_no_contact_pulls_in_even_presets() {
    presets::all().iter().step_by(2).for_each(|preset| check_preset(preset.name));
}

#[test]
fn energy_balances_and_no_contact_pulls_in_odd_presets() {
    presets::all().iter().skip(1).step_by(2).for_each(|preset| check_preset(preset.name));
}

/// Power of the first difference of a signal relative to its own: a measure of brightness.
fn brightness(samples: &[f64]) -> f64 {
    let power = |x: &[f64]| x.iter().map(|s| s * s).sum::<f64>();
    let difference: Vec<f64> = samples.windows(2).map(|pair| pair[1] - pair[0]).collect();
    power(&difference) / power(samples)
}

#[test]
fn rattling_contacts_brighten_the_sound() {
    // Compared with the same scene without its contact.
    for name in ["string-mass-barrier", "prepared-string", "fretboard", "string-string", "mass-spring-barrier"] {
        let mut scene = preset(name);
        let (with, ledger) = render(&mut scene, Scheme::Tracked, f64::INFINITY);
        assert!(ledger.interactions.iter().all(|contact| contact.hits > 20), "{name}: {:?}", ledger.interactions);
        let text: String = presets::find(name).unwrap().text.replace("gap = ", "gap = 0.5 # ");
        let separated = text.replace("stiffness = ", "gap = 0.9\nstiffness = ").replace("gap = 0.5 # ", "# gap = ");
        let mut scene =
            parse(&separated.replace("[[connection]]", "[[collision]]").replace("play =", "# play ="), name)
                .unwrap_or_else(|errors| panic!("{}", errors[0]));
        let (without, ledger) = render(&mut scene, Scheme::Tracked, f64::INFINITY);
        assert!(ledger.interactions.iter().all(|contact| contact.hits == 0), "{name}");
        let gain = 10.0 * (brightness(&with) / brightness(&without)).log10();
        println!("{name}: {gain:.1} dB brighter with the rattle");
        assert!(gain > 3.0, "{name}: {gain} dB");
    }
}
