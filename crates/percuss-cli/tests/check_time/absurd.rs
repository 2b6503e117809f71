//! Draws scenes with values over the whole permitted range, and sums of things that nobody would write.

use draw::Draw;
use proptest::test_runner::TestRng;
use std::fmt::Write;

/// Draws numbers.
mod draw {
    use proptest::prelude::Rng;
    use proptest::test_runner::TestRng;

    pub trait Draw {
        /// Evenly between two numbers.
        fn between(&mut self, low: f64, high: f64) -> f64;

        /// Evenly in the logarithm.
        fn logarithmic(&mut self, low: f64, high: f64) -> f64 {
            self.between(low.ln(), high.ln()).exp().clamp(low, high)
        }

        fn below(&mut self, count: usize) -> usize {
            self.between(0.0, count as f64) as usize
        }

        fn pick<T: Copy>(&mut self, choices: &[T]) -> T {
            choices[self.below(choices.len())]
        }

        /// True with a probability.
        fn chance(&mut self, probability: f64) -> bool {
            self.between(0.0, 1.0) < probability
        }
    }

    impl Draw for TestRng {
        fn between(&mut self, low: f64, high: f64) -> f64 {
            low + (high - low) * (self.next_u64() >> 11) as f64 / (1_u64 << 53) as f64
        }
    }
}

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Mass,
    Modal,
    String,
    Bar,
    Plate,
    Membrane,
}

const KINDS: [Kind; 6] = [Kind::Mass, Kind::Modal, Kind::String, Kind::Bar, Kind::Plate, Kind::Membrane];

/// A scene as text.
pub fn scene(rng: &mut TestRng) -> String {
    let count = rng.pick(&[1, 1, 2, 3, 5, 20, 200, 2000]);
    let only = rng.chance(0.4).then(|| rng.pick(&KINDS));
    // Thousands of plates are too large in the same way each time.
    let kinds: Vec<Kind> = (0..count)
        .map(|_| match only {
            Some(kind) => kind,
            None if count > 100 => rng.pick(&KINDS[..4]),
            None => rng.pick(&KINDS),
        })
        .collect();
    let mut text = format!(
        "[scene]\nsample_rate = {}\nduration = {}\noversample = {}\n",
        rng.pick(&[44_100, 44_100, 44_100, 1000, 192_000, 768_000]),
        rng.logarithmic(1e-3, 3e5),
        rng.pick(&[1, 1, 1, 2, 64]),
    );
    for (index, &kind) in kinds.iter().enumerate() {
        text += &element(rng, index, kind);
    }
    let hub = rng.below(count);
    for _ in 0..rng.pick(&[0, 1, 3, 30, 300, 3000]) {
        let below = if rng.chance(0.7) { hub } else { rng.below(count) };
        let above = rng.below(count);
        if below != above {
            text += &contact(rng, [(below, kinds[below]), (above, kinds[above])]);
        }
    }
    for _ in 0..rng.pick(&[0, 1, 30]) {
        let on = rng.below(count);
        if !matches!(kinds[on], Kind::Mass | Kind::Modal) {
            let place = place(rng, on, kinds[on]);
            writeln!(text, "[[bow]]\n{place}\nforce = 1.0\nvelocity = 0.1").unwrap();
        }
    }
    if rng.chance(0.15) {
        text += &roll(rng, hub, kinds[hub]);
    }
    let heard = rng.below(count);
    text + "[[pickup]]\n" + &place(rng, heard, kinds[heard]) + "\n"
}

fn element(rng: &mut TestRng, index: usize, kind: Kind) -> String {
    let mut text = match kind {
        Kind::Mass => format!("[[mass]]\nmass = {}\n", rng.logarithmic(1e-9, 1e6)),
        Kind::Modal => {
            let modes = rng.logarithmic(1.0, 3000.0) as usize;
            let list = |rng: &mut TestRng, low, high| -> String {
                (0..modes).map(|_| format!("{}, ", rng.between(low, high))).collect()
            };
            let (frequency, gains) = (list(rng, 1.0, 400.0), list(rng, -1.0, 1.0));
            format!("[[modal]]\nfrequency = [{frequency}]\npoints = {{ a = [{gains}] }}\n")
        }
        Kind::String => format!(
            "[[string]]\nlength = {}\nradius = {}\ntension = {}\ndensity = {}\nyoungs_modulus = {}\n",
            rng.logarithmic(1e-3, 100.0),
            rng.logarithmic(1e-6, 0.05),
            rng.logarithmic(1e-3, 1e5),
            rng.logarithmic(10.0, 3e4),
            rng.logarithmic(1e4, 2e12),
        ),
        Kind::Bar => format!(
            "[[bar]]\nlength = {}\nwidth = 0.05\nthickness = {}\n",
            rng.logarithmic(1e-3, 100.0),
            rng.logarithmic(1e-5, 0.5),
        ),
        Kind::Plate => format!(
            "[[plate]]\nthickness = {}\ndensity = {}\nyoungs_modulus = {}\ntension = {}\n",
            rng.logarithmic(1e-6, 0.05),
            rng.logarithmic(10.0, 3e4),
            rng.logarithmic(1e4, 2e12),
            if rng.chance(0.5) { 0.0 } else { rng.logarithmic(1.0, 1e6) },
        ),
        Kind::Membrane => format!(
            "[[membrane]]\nsurface_density = {}\ntension = {}\n",
            rng.logarithmic(1e-3, 1e3),
            rng.logarithmic(0.1, 1e6),
        ),
    };
    writeln!(text, "id = \"e{index}\"").unwrap();
    match kind {
        Kind::Mass | Kind::Modal => {}
        Kind::String | Kind::Bar => {
            let ends = ["simply-supported", "clamped", "free"];
            writeln!(text, "ends = [\"{}\", \"{}\"]", rng.pick(&ends), rng.pick(&ends)).unwrap();
            if rng.chance(0.3) {
                text += "method = \"grid\"\n";
            } else if kind == Kind::Bar && rng.chance(0.3) {
                text += "undercut = { at = 0.4, depth = 0.6, width = 0.5 }\n";
            }
        }
        Kind::Plate | Kind::Membrane => text += &outline(rng, index, kind),
    }
    text
}

/// Size, edges and touches of a plate.
fn outline(rng: &mut TestRng, index: usize, kind: Kind) -> String {
    let mut text = String::new();
    if rng.chance(0.4) {
        writeln!(text, "diameter = {}", rng.logarithmic(1e-3, 100.0)).unwrap();
    } else {
        writeln!(text, "size = [{}, {}]", rng.logarithmic(1e-3, 100.0), rng.logarithmic(1e-3, 100.0)).unwrap();
        if kind == Kind::Plate {
            let edge = |rng: &mut TestRng| rng.pick(&["free", "clamped", "simply-supported", "free-full-cell"]);
            let edges = [edge(rng), edge(rng), edge(rng), edge(rng)];
            writeln!(text, "edges = {edges:?}").unwrap();
        }
        if rng.chance(0.1) {
            writeln!(text, "grid = [{}, {}]", 4 + rng.below(3000), 4 + rng.below(3000)).unwrap();
        }
    }
    for _ in 0..rng.pick(&[0, 0, 1, 3, 50]) {
        let region = rng.pick(&[
            "{ kind = \"everywhere\" }",
            "{ kind = \"circle\", centre = [0.4, 0.5], radius = 0.05 }",
            "{ kind = \"half-plane\", direction = [1.0, 1.0], level = { time = [0.0, 1.0], value = [0.0, 1.0] } }",
        ]);
        let (stiffness, damping) = (rng.logarithmic(1.0, 1e16), rng.logarithmic(1e-3, 1e6));
        writeln!(text, "[[touch]]\nof = \"e{index}\"\nregion = {region}\nstiffness = {stiffness}\ndamping = {damping}")
            .unwrap();
    }
    text
}

/// `of` and `at`.
fn place(rng: &mut TestRng, index: usize, kind: Kind) -> String {
    let at = match kind {
        Kind::Mass => String::new(),
        Kind::Modal => "\nat = \"a\"".into(),
        Kind::String | Kind::Bar => format!("\nat = {}", rng.between(0.1, 0.9)),
        Kind::Plate | Kind::Membrane => format!("\nat = [{}, {}]", rng.between(0.3, 0.7), rng.between(0.3, 0.7)),
    };
    format!("of = \"e{index}\"{at}")
}

fn contact(rng: &mut TestRng, ends: [(usize, Kind); 2]) -> String {
    let law = match rng.pick(&["collision", "connection", "spring", "damper", "felt"]) {
        "damper" => format!("[[damper]]\nresistance = {}\n", rng.logarithmic(1e-3, 1e9)),
        // Without a gap collisions can form a cycle, which is refused.
        kind @ ("collision" | "felt") => {
            format!("[[{kind}]]\nstiffness = {}\ngap = {}\n", rng.logarithmic(1e-3, 1e20), rng.between(1e-9, 1e-6))
        }
        kind => format!("[[{kind}]]\nstiffness = {}\n", rng.logarithmic(1e-3, 1e15)),
    };
    let lines = [Kind::String, Kind::Bar];
    if law.starts_with("[[collision]]") && ends.iter().all(|end| lines.contains(&end.1)) && rng.chance(0.02) {
        let [below, above] = ends.map(|end| end.0);
        return format!("{law}distributed = true\nbelow = {{ of = \"e{below}\" }}\nabove = {{ of = \"e{above}\" }}\n");
    }
    let [below, above] = ends.map(|(index, kind)| place(rng, index, kind).replace('\n', ", "));
    format!("{law}below = {{ {below} }}\nabove = {{ {above} }}\n")
}

fn roll(rng: &mut TestRng, index: usize, kind: Kind) -> String {
    let on = place(rng, index, kind).replace('\n', ", ");
    let mut text = String::new();
    for ball in 0..rng.pick(&[1, 10]) {
        writeln!(
            text,
            "[[mass]]\nid = \"ball{ball}\"\nmass = 0.01\ngravity = 9.81\n[[roll]]\nball = \"ball{ball}\"\non = {{ {on} }}\n\
             radius = {}\nroughness = {}\ncorrelation_length = {}\nstiffness = 1e8",
            rng.logarithmic(1e-4, 10.0),
            rng.logarithmic(1e-7, 0.01),
            rng.logarithmic(1e-6, 100.0),
        )
        .unwrap();
    }
    text
}
