//! Palette of a movie: at most 256 colours, the same in every frame.

use crate::plot::heat_map;
use crate::plot::style::{PALETTE, TEXT_COLOUR};
use plotters::prelude::*;
use std::collections::HashMap;

/// Colours from white to blue, and from white to red, for displacements.
const DIVERGING_STEPS: i32 = 64;
/// Greys from white to the colour of text and axes.
const GREY_STEPS: u32 = 40;
/// Colours from white to each line colour, for antialiasing.
const LINE_COLOUR_STEPS: u32 = 20;

/// Up to 256 colours; maps RGB pixels to the index of the nearest.
pub struct IndexedPalette {
    colours: Vec<[u8; 3]>,
    index_cache: HashMap<[u8; 3], u8>,
}

impl IndexedPalette {
    /// All colours that frames are drawn with.
    pub fn new() -> Self {
        let shades = (-DIVERGING_STEPS..=DIVERGING_STEPS)
            .map(|shade| heat_map::diverging_colour(f64::from(shade) / f64::from(DIVERGING_STEPS)));
        let fade = |ink: RGBColor, count: u32| {
            (0..=count).map(move |tone| {
                let share = f64::from(tone) / f64::from(count);
                let mix = |ink: u8| (255.0 + share * (f64::from(ink) - 255.0)).round() as u8;
                RGBColor(mix(ink.0), mix(ink.1), mix(ink.2))
            })
        };
        let lines = [PALETTE[0], PALETTE[1]].into_iter().flat_map(|colour| fade(colour, LINE_COLOUR_STEPS));
        let all = shades.chain(fade(TEXT_COLOUR, GREY_STEPS)).chain(lines);
        Self { colours: all.map(|colour| [colour.0, colour.1, colour.2]).collect(), index_cache: HashMap::new() }
    }

    /// Red, green and blue of each colour in turn.
    pub fn rgb_bytes(&self) -> Vec<u8> {
        self.colours.concat()
    }

    /// Index of the nearest colour for each RGB pixel.
    pub fn indices(&mut self, pixels: &[u8]) -> Vec<u8> {
        let index = |pixel: &[u8]| {
            let pixel = [pixel[0], pixel[1], pixel[2]];
            *self.index_cache.entry(pixel).or_insert_with(|| nearest(&self.colours, pixel))
        };
        pixels.chunks_exact(3).map(index).collect()
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
    fn palette_fits_a_byte_and_maps_its_own_colours_exactly() {
        let mut palette = IndexedPalette::new();
        assert!(palette.colours.len() <= 256);
        for colour in [
            RGBColor(255, 255, 255),
            TEXT_COLOUR,
            PALETTE[0],
            heat_map::diverging_colour(0.3),
            heat_map::diverging_colour(-1.0),
        ] {
            let pixel = [colour.0, colour.1, colour.2];
            let index = palette.indices(&pixel)[0];
            assert_eq!(palette.colours[usize::from(index)], pixel);
        }
    }
}
