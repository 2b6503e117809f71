//! The losses σ₀ and σ₁ of a string, bar, plate or membrane: as given, or from its material.
//!
//! Model       a mode decays as e^{−σt}, σ = σ₀ + σ₁s, s = ∫φ′²/∫φ² (`partials`), which is β² far from the ends
//! Material    a loss factor η of bending gives σ = ½ηωb with the share b of bending in the potential energy: so it is at 1 kHz by
//!             σ₁ = ½ηωb/β². Of bars, and of plates without tension, that is ½ηκ, and σ = ½ηω at all frequencies.
//!             A membrane that nothing but its tension holds has b = 1. σ₀, of air and supports, is the element's default
//! Symbols     β wave number, ω, c², κ² as in `waves`; φ shape of a mode

use crate::limits::ValueLimits;
use crate::materials::Material;
use crate::table_reader::TableReader;
use crate::waves::Waves;
use percuss::Element;
use std::f64::consts::TAU;

const SIGMA0_LIMITS: ValueLimits = ValueLimits::new(0.0, 1e4, "1/s");
const SIGMA1_LIMITS: ValueLimits = ValueLimits::new(0.0, 10.0, "m²/s");
/// Frequency at which the losses of a material are those of its loss factor \[Hz\].
const REFERENCE: f64 = 1000.0;

/// σ₀ \[1/s\] and σ₁ \[m²/s\].
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Sigmas {
    pub sigma0: f64,
    pub sigma1: f64,
}

/// What a table says about losses.
#[derive(Clone, Debug)]
pub(crate) struct Losses {
    sigma0: Option<f64>,
    sigma1: Option<f64>,
    loss_factor: Option<f64>,
    default: Sigmas,
}

impl Losses {
    /// Reads `sigma0` and `sigma1`. `default` has those of the element's description.
    pub fn read(table: &TableReader<'_>, material: Option<&Material>, default: Sigmas) -> Self {
        Self {
            sigma0: table.number("sigma0", SIGMA0_LIMITS),
            sigma1: table.number("sigma1", SIGMA1_LIMITS),
            loss_factor: material.map(|material| material.loss_factor),
            default,
        }
    }

    /// The element with its losses.
    pub fn finish(&self, mut element: Element) -> Element {
        let sigmas = self.of(&element);
        set(&mut element, sigmas);
        element
    }

    /// σ₀ and σ₁ of an element, whose own are ignored.
    fn of(&self, element: &Element) -> Sigmas {
        Sigmas {
            sigma0: self.sigma0.unwrap_or(self.default.sigma0),
            sigma1: self.sigma1.unwrap_or_else(|| self.material_sigma1(element)),
        }
    }

    /// σ₁ of the material, or the default.
    fn material_sigma1(&self, element: &Element) -> f64 {
        let (Some(loss_factor), Some(waves)) = (self.loss_factor, Waves::of(element)) else {
            return self.default.sigma1;
        };
        let omega = TAU * REFERENCE;
        let square = waves.wave_number_squared(omega);
        (0.5 * loss_factor * omega * waves.bending_share(square) / square).min(SIGMA1_LIMITS.max)
    }
}

/// Gives an element its losses.
fn set(element: &mut Element, Sigmas { sigma0, sigma1 }: Sigmas) {
    let fields = match element {
        Element::String(string) => [&mut string.sigma0, &mut string.sigma1],
        Element::Bar(bar) => [&mut bar.sigma0, &mut bar.sigma1],
        Element::Plate(plate) => [&mut plate.sigma0, &mut plate.sigma1],
        Element::Mass(_) | Element::Barrier(_) | Element::Modal(_) => return,
    };
    fields.into_iter().zip([sigma0, sigma1]).for_each(|(field, value)| *field = value);
}
