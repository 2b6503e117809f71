//! The colours of a film: few enough for a byte, the same in every picture.

use crate::plot::heat;
use crate::plot::style::{INK, PALETTE};
use plotters::prelude::*;
use std::collections::HashMap;

/// Shades from blue over white to red, to either side of zero.
const SHADES: i32 = 64;
/// Greys of text and axes.
const GREYS: u32 = 40;
/// Tones of a line, from white.
const TONES: u32 = 20;

/// The colours, and the nearest to any other.
pub struct Colours {
    colours: Vec<[u8; 3]>,
    known: HashMap<[u8; 3], u8>,
}

impl Colours {
    /// Everything pictures are drawn with.
    pub fn new() -> Self {
        let shades = (-SHADES..=SHADES).map(|shade| heat::diverging(f64::from(shade) / f64::from(SHADES)));
        let fade = |ink: RGBColor, count: u32| {
            (0..=count).map(move |tone| {
                let share = f64::from(tone) / f64::from(count);
                let mix = |ink: u8| (255.0 + share * (f64::from(ink) - 255.0)).round() as u8;
                RGBColor(mix(ink.0), mix(ink.1), mix(ink.2))
            })
        };
        let lines = [PALETTE[0], PALETTE[1]].into_iter().flat_map(|colour| fade(colour, TONES));
        let all = shades.chain(fade(INK, GREYS)).chain(lines);
        Self { colours: all.map(|colour| [colour.0, colour.1, colour.2]).collect(), known: HashMap::new() }
    }

    /// Red, green and blue of each, one after the other.
    pub fn table(&self) -> Vec<u8> {
        self.colours.concat()
    }

    /// A picture of three bytes per pixel in one.
    pub fn index(&mut self, pixels: &[u8]) -> Vec<u8> {
        let one = |pixel: &[u8]| {
            let pixel = [pixel[0], pixel[1], pixel[2]];
            *self.known.entry(pixel).or_insert_with(|| nearest(&self.colours, pixel))
        };
        pixels.chunks_exact(3).map(one).collect()
    }
}

fn nearest(colours: &[[u8; 3]], pixel: [u8; 3]) -> u8 {
    let distance = |colour: &[u8; 3]| -> i32 {
        colour.iter().zip(pixel).map(|(&a, b)| (i32::from(a) - i32::from(b)).pow(2)).sum()
    };
    let found = (0..colours.len()).min_by_key(|&index| distance(&colours[index]));
    found.unwrap_or(0) as u8
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_fit_a_byte_and_keep_white_ink_and_shades() {
        let mut colours = Colours::new();
        assert!(colours.colours.len() <= 256);
        for colour in [RGBColor(255, 255, 255), INK, PALETTE[0], heat::diverging(0.3), heat::diverging(-1.0)] {
            let pixel = [colour.0, colour.1, colour.2];
            let index = colours.index(&pixel)[0];
            assert_eq!(colours.colours[usize::from(index)], pixel);
        }
    }
}
