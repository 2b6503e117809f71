//! tmp
use percuss_scene::parse;
fn goertzel(x: &[f64], f: f64, sr: f64) -> f64 {
    let w = std::f64::consts::TAU * f / sr;
    let c = 2.0 * w.cos();
    let (mut a, mut b) = (0.0, 0.0);
    for v in x { let t = v + c * a - b; b = a; a = t; }
    (a * a + b * b - c * a * b).max(0.0).sqrt() / x.len() as f64
}
#[test]
fn tmp() {
    for friction in ["kind = \"exponential\"", "kind = \"bristle\", viscous = 0.0"] {
    for (force, vel) in [(0.05, 0.08), (0.1, 0.12), (0.2, 0.16), (0.3, 0.2), (0.3, 0.3)] {
    for (stiff, damp) in [(20.0, 1.0), (20.0, 1.001)] {
        let share = if damp > 1.0 { 0.4 } else { 0.3 }; let mut line = String::new();
        for n in [2, 3, 4, 5, 6, 8, 10, 12] {
        if n == 1 && stiff > 50.0 { continue; }
        let text = format!("[scene]\nduration = 2\n[[string]]\nid = \"s\"\nlength = 1.9\nradius = 0.5e-3\ntension = 91\nsigma0 = 0.1\nsigma1 = 0.05\n[score]\nbow = \"bow\"\nfinger = \"finger\"\nforce = [{force}, {force}]\nvelocity = [{vel}, {vel}]\n[[note]]\nstart = 0\nduration = 2\nharmonic = {n}\nbow_at = {}\n[[bow]]\nid = \"bow\"\nof = \"s\"\nat = 0.217\nfriction = {{ {friction} }}\n[[finger]]\nid = \"finger\"\nof = \"s\"\nstiffness = {stiff}\ndamping = {damp}\n[[pickup]]\nof = \"s\"\nat = 0.97\n", share / n as f64);
        let scene = parse(&text, "x").unwrap_or_else(|p| panic!("{}", p[0]));
        let mut sim = scene.compile(44100.0).unwrap();
        let x: Vec<f64> = (0..53000).map(|_| { sim.step(); sim.read(scene.outputs[0].pickup) }).collect();
        let tail: Vec<f64> = x[30000..].iter().enumerate().map(|(i, v)| v * (0.5 - 0.5 * (std::f64::consts::TAU * i as f64 / 23000.0).cos())).collect();
        let mut best = (0.0, 0.0); let mut own = 0.0; let mut all = 0.0;
        let mut f = 20.0;
        while f < 1000.0 { let g = goertzel(&tail, f, 44100.0); if g > best.0 { best = (g, f); } all += g * g; let r = f / (31.98 * n as f64); if (r - r.round()).abs() * n as f64 * 31.98 < 4.0 { own += g * g; } f += 1.0; }
        line += &format!(" {n}:{:.2}x{:.0}%({:.0e})", best.1 / 31.98, 100.0 * own / all, best.0);
        }
        println!("== {friction} F={force} v={vel} K={stiff} R={damp} {line}");
    }}}
}
