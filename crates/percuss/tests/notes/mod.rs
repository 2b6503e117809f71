//! What the tests of the notes' equations share: states as the notes write them, operators, small solves.

pub mod board;
pub mod bridge;

use percuss::*;
use std::f64::consts::PI;

/// u, u⁻ and ψ of the elements and contacts a test follows.
pub struct StateHistory {
    pub now: Vec<Vec<f64>>,
    pub prev: Vec<Vec<f64>>,
    pub psi: Vec<Vec<f64>>,
}

/// u⁺ as the notes have it, and ψ⁺ with the slope g that led to it.
pub struct NextState {
    pub u: Vec<Vec<f64>>,
    pub psi: Vec<Vec<(f64, f64)>>,
}

impl StateHistory {
    pub fn of(sim: &Simulation, elements: &[ElementId], contacts: &[InteractionId]) -> Self {
        let now: Vec<_> =
            elements.iter().map(|&element| padded_grid(sim, element, &sim.displacements(element))).collect();
        let steps = elements.iter().map(|&element| padded_grid(sim, element, &sim.increments(element)));
        let prev = |(now, du): (&Vec<f64>, Vec<f64>)| now.iter().zip(du).map(|(u, du)| u - du).collect();
        Self {
            prev: now.iter().zip(steps).map(prev).collect(),
            now,
            psi: contacts.iter().map(|&contact| sim.psi(contact).collect()).collect(),
        }
    }

    /// (u, u⁻) of one node.
    pub fn node(&self, element: usize, node: usize) -> (f64, f64) {
        (self.now[element][node], self.prev[element][node])
    }
}

/// The values of an element as the notes have them: those of a plate with two zeros all around.
fn padded_grid(sim: &Simulation, element: ElementId, values: &[f64]) -> Vec<f64> {
    let Some(PlateGrid { intervals: [columns, rows], .. }) = sim.plate_grid(element) else {
        return values.to_vec();
    };
    let padded = columns + 5;
    let mut padded_values = vec![0.0; padded * (rows + 5)];
    for (j, row) in values.chunks_exact(columns + 1).enumerate() {
        padded_values[(j + 2) * padded + 2..][..=columns].copy_from_slice(row);
    }
    padded_values
}

/// Steps a simulation and holds every step against the notes' update of the same state.
///
/// u⁺ may differ by rounding: 1e-12 of the largest displacement yet, since the notes' u⁻ = u − du carries the rounding
/// of u, and systems with g²k²/4M up to some hundreds multiply it. ψ⁺ = ψ + g(η⁺ − η⁻)/2 inherits g times that.
pub fn follow(
    sim: &mut Simulation,
    elements: &[ElementId],
    contacts: &[InteractionId],
    steps: usize,
    rule: impl Fn(&StateHistory) -> NextState,
) {
    let (mut size, mut worst, mut touching) = (0.0_f64, 0.0_f64, vec![0; contacts.len()]);
    for n in 0..steps {
        let next = rule(&StateHistory::of(sim, elements, contacts));
        sim.step();
        let found = StateHistory::of(sim, elements, contacts);
        size = found.now.iter().flatten().fold(size, |size, u| size.max(u.abs()));
        for (found, expected) in found.now.iter().zip(&next.u) {
            assert_eq!(found.len(), expected.len());
            let off = found.iter().zip(expected).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max) / size;
            assert!(off <= 1e-12, "step {n}: u is off by {off}");
            worst = worst.max(off);
        }
        for (found, expected) in found.psi.iter().zip(&next.psi) {
            assert_eq!(found.len(), expected.len());
            for (found, (psi, g)) in found.iter().zip(expected) {
                assert!((found - psi).abs() <= 1e-12 * (psi.abs() + g * size), "step {n}: ψ {found} {psi}, g {g}");
            }
        }
        for (count, &contact) in touching.iter_mut().zip(contacts) {
            *count += usize::from(sim.force(contact) != 0.0);
        }
    }
    println!("{steps} steps, of which {touching:?} in contact: u within {worst:.1e} of its size");
    assert!(touching.iter().all(|&count| count >= 50), "hardly any contact: {touching:?}");
}

/// Eq. 12: g = √(K(α+1)/2)·[η]₊^{(α−1)/2}.
pub fn slope(law: Collision, eta: f64) -> f64 {
    let open = if eta > 0.0 { 1.0 } else { 0.0 };
    open * (0.5 * law.stiffness * (law.exponent + 1.0)).sqrt() * eta.abs().powf(0.5 * (law.exponent - 1.0))
}

/// Eq. 18, corrected: ψ⁺ = ψ + g(η⁺ − η⁻)/2.
pub fn psi_next(psi: f64, g: f64, eta_next: f64, eta_prev: f64) -> (f64, f64) {
    (psi + 0.5 * g * (eta_next - eta_prev), g)
}

/// A simply supported string as the notes write it. States hold its moving nodes 1 to N − 1.
pub struct NotesString {
    /// ρA \[kg/m\].
    pub rho_a: f64,
    pub tension: f64,
    /// EI \[N·m²\].
    pub bending: f64,
    pub sigma0: f64,
    pub sigma1: f64,
    pub h: f64,
    pub k: f64,
}

impl NotesString {
    pub fn of(string: &StiffString, handle: ElementId, sim: &Simulation) -> Self {
        let area = PI * string.radius.powi(2);
        Self {
            rho_a: string.density * area,
            tension: string.tension,
            bending: string.youngs_modulus * PI * string.radius.powi(4) / 4.0,
            sigma0: string.sigma0,
            sigma1: string.sigma1,
            h: sim.grid(handle).unwrap().spacing,
            k: sim.time_step(),
        }
    }

    /// u at a grid point beyond or at the ends: 0 there, mirrored with opposite sign past them.
    fn at(u: &[f64], l: isize) -> f64 {
        let last = u.len() as isize + 1;
        match l {
            l if l < 0 => -Self::at(u, -l),
            l if l > last => -Self::at(u, 2 * last - l),
            l if l == 0 || l == last => 0.0,
            l => u[l as usize - 1],
        }
    }

    fn second_difference(u: &[f64], l: isize) -> f64 {
        Self::at(u, l + 1) - 2.0 * Self::at(u, l) + Self::at(u, l - 1)
    }

    /// δxx at moving node i.
    pub fn dxx(&self, u: &[f64], i: usize) -> f64 {
        Self::second_difference(u, i as isize + 1) / self.h.powi(2)
    }

    /// δxxxx at moving node i.
    pub fn dxxxx(&self, u: &[f64], i: usize) -> f64 {
        let l = i as isize + 1;
        let around = [-1, 0, 1].map(|step| Self::second_difference(u, l + step));
        (around[0] - 2.0 * around[1] + around[2]) / self.h.powi(4)
    }

    /// The right side of eqs. 27, 30, 78 without contacts:
    /// ρA/k²(2u − u⁻) + Tδxxu − EIδxxxxu + ρAσ₀/k u⁻ + 2ρAσ₁δt−δxxu at moving node i.
    pub fn right_side(&self, u: &[f64], prev: &[f64], i: usize) -> f64 {
        let k = self.k;
        let inertia = self.rho_a / (k * k) * (2.0 * u[i] - prev[i]);
        let elastic = self.tension * self.dxx(u, i) - self.bending * self.dxxxx(u, i);
        let lag = (self.dxx(u, i) - self.dxx(prev, i)) / k;
        inertia + elastic + self.rho_a * self.sigma0 / k * prev[i] + 2.0 * self.rho_a * self.sigma1 * lag
    }

    /// ρA/k² + ρAσ₀/k.
    pub fn left_side(&self) -> f64 {
        self.rho_a / (self.k * self.k) + self.rho_a * self.sigma0 / self.k
    }

    /// Eq. 31: u⁺ of the whole string, with a point force \[N\] at one moving node.
    pub fn next(&self, u: &[f64], prev: &[f64], node: usize, force: f64) -> Vec<f64> {
        let push = |i: usize| if i == node { force / self.h } else { 0.0 };
        (0..u.len()).map(|i| (self.right_side(u, prev, i) + push(i)) / self.left_side()).collect()
    }
}

/// A mass as the notes write it: M/k²(2w − w⁻) − Mω₀²w + MR/2k w⁻.
pub fn mass_right_side(mass: &Mass, k: f64, (w, prev): (f64, f64)) -> f64 {
    let omega = 2.0 * PI * mass.frequency;
    let inertia = mass.mass / (k * k) * (2.0 * w - prev);
    inertia - mass.mass * omega * omega * w + mass.mass * mass.damping / (2.0 * k) * prev
}

/// M/k² + MR/2k.
pub fn mass_left_side(mass: &Mass, k: f64) -> f64 {
    mass.mass / (k * k) + mass.mass * mass.damping / (2.0 * k)
}

/// A⁻¹v by Cramer's rule.
pub fn solve2(a: [[f64; 2]; 2], v: [f64; 2]) -> [f64; 2] {
    let determinant = a[0][0] * a[1][1] - a[0][1] * a[1][0];
    [(v[0] * a[1][1] - a[0][1] * v[1]) / determinant, (a[0][0] * v[1] - v[0] * a[1][0]) / determinant]
}

/// A⁻¹v by Cramer's rule.
pub fn solve3(a: [[f64; 3]; 3], v: [f64; 3]) -> [f64; 3] {
    let determinant = |m: [[f64; 3]; 3]| {
        let minor = |i: usize, j: usize| m[1][i] * m[2][j] - m[1][j] * m[2][i];
        m[0][0] * minor(1, 2) - m[0][1] * minor(0, 2) + m[0][2] * minor(0, 1)
    };
    std::array::from_fn(|column| {
        let mut replaced = a;
        (0..3).for_each(|row| replaced[row][column] = v[row]);
        determinant(replaced) / determinant(a)
    })
}
