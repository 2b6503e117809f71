//! Reads PNG files as pressure images.

use percuss::Region;
use png::{BitDepth, ColorType, Decoder, Transformations};
use std::fs::File;
use std::io::{BufRead, BufReader, Seek};
use std::path::Path;

/// Maximum size of a decoded image \[bytes\].
const MAX_DECODED_SIZE: usize = 512 << 20;
/// Luminance of red, green and blue (Rec. ITU-R BT.709).
const LUMINANCE: [f64; 3] = [0.2126, 0.7152, 0.0722];

/// Reads an image file.
///
/// # Errors
/// The reason why it cannot be read.
pub(crate) fn open(path: &Path) -> Result<Region, String> {
    let file = File::open(path).map_err(|error| error.to_string())?;
    decode(BufReader::new(file))
}

/// White is 1, black 0. The first row of the result is the image's lowest, as y points upwards on plates.
fn decode(file: impl BufRead + Seek) -> Result<Region, String> {
    let decoding_error = |error: png::DecodingError| format!("not a PNG image ({error})");
    let mut decoder = Decoder::new(file);
    // Expands palettes to colours, and samples to at least 8 bits.
    decoder.set_transformations(Transformations::EXPAND);
    let mut reader = decoder.read_info().map_err(decoding_error)?;
    let size = reader.output_buffer_size().filter(|&size| size <= MAX_DECODED_SIZE).ok_or("larger than 512 MiB")?;
    let mut bytes = vec![0; size];
    let frame = reader.next_frame(&mut bytes).map_err(decoding_error)?;
    let row = |bytes: &[u8]| -> Vec<f64> {
        let samples = match frame.bit_depth {
            BitDepth::Sixteen => bytes.chunks_exact(2).map(|pair| u16::from_be_bytes([pair[0], pair[1]])).collect(),
            _ => bytes.iter().map(|&byte| 257 * u16::from(byte)).collect::<Vec<u16>>(),
        };
        samples.chunks_exact(frame.color_type.samples()).map(|pixel| luminance(pixel, frame.color_type)).collect()
    };
    let rows = bytes[..frame.buffer_size()].chunks_exact(frame.line_size).rev();
    Ok(Region::Image { width: frame.width as usize, values: rows.flat_map(row).collect() })
}

/// Luminance of a pixel, from 0 to 1. Transparency is ignored.
fn luminance(pixel: &[u16], kind: ColorType) -> f64 {
    let fraction = |sample: u16| f64::from(sample) / 65_535.0;
    match kind {
        ColorType::Grayscale | ColorType::GrayscaleAlpha => fraction(pixel[0]),
        _ => LUMINANCE.iter().zip(pixel).map(|(weight, &sample)| weight * fraction(sample)).sum(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Cursor;

    /// An image of 2 × 2 pixels.
    fn decoded(kind: ColorType, depth: BitDepth, palette: &[u8], data: &[u8]) -> Vec<f64> {
        let mut file = Vec::new();
        let mut encoder = png::Encoder::new(&mut file, 2, 2);
        encoder.set_color(kind);
        encoder.set_depth(depth);
        if !palette.is_empty() {
            encoder.set_palette(palette.to_vec());
        }
        let mut writer = encoder.write_header().unwrap();
        writer.write_image_data(data).unwrap();
        writer.finish().unwrap();
        match decode(Cursor::new(file)).unwrap() {
            Region::Image { width: 2, values } => values,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn all_colour_types_decode_from_the_lowest_row() {
        // Black and white above, white and a fifth below.
        let expected = [1.0, 0.2, 0.0, 1.0];
        let grey = [0, 255, 255, 51];
        let each = |bytes: fn(u8) -> Vec<u8>| grey.iter().flat_map(|&byte| bytes(byte)).collect::<Vec<u8>>();
        for (kind, depth, palette, data) in [
            (ColorType::Grayscale, BitDepth::Eight, &[][..], grey.to_vec()),
            (ColorType::Grayscale, BitDepth::Four, &[], vec![0x0F, 0xF3]),
            (ColorType::Grayscale, BitDepth::Sixteen, &[], each(|byte| vec![byte; 2])),
            (ColorType::GrayscaleAlpha, BitDepth::Eight, &[], each(|byte| vec![byte, 9])),
            (ColorType::Rgb, BitDepth::Eight, &[], each(|byte| vec![byte; 3])),
            (ColorType::Rgba, BitDepth::Sixteen, &[], each(|byte| [vec![byte; 6], vec![9; 2]].concat())),
            (ColorType::Indexed, BitDepth::Two, &[255, 255, 255, 51, 51, 51, 0, 0, 0], vec![0b1000_0000, 0b0001_0000]),
        ] {
            for (found, expected) in decoded(kind, depth, palette, &data).iter().zip(expected) {
                assert!((found - expected).abs() < 1e-15, "{kind:?}, {depth:?}: {found}, not {expected}");
            }
        }
    }

    #[test]
    fn green_is_brighter_than_blue() {
        let data = [255, 0, 0, 0, 255, 0, 0, 0, 255, 255, 255, 255];
        let found = decoded(ColorType::Rgb, BitDepth::Eight, &[], &data);
        for (found, expected) in found.iter().zip([0.0722, 1.0, 0.2126, 0.7152]) {
            assert!((found - expected).abs() < 1e-15, "{found}, not {expected}");
        }
    }

    #[test]
    fn invalid_files_are_errors() {
        let message = |bytes: &[u8]| decode(Cursor::new(bytes.to_vec())).unwrap_err();
        assert!(message(b"\xFF\xD8\xFF\xE0").starts_with("not a PNG image ("));
        assert!(message(b"").starts_with("not a PNG image ("));
        let mut file = Vec::new();
        let mut writer = png::Encoder::new(&mut file, 100_000, 100_000).write_header().unwrap();
        writer.write_chunk(png::chunk::IDAT, &[0; 9]).unwrap();
        drop(writer);
        assert_eq!(message(&file), "larger than 512 MiB");
        assert!(!open(Path::new("no/such.png")).unwrap_err().contains("PNG"));
    }
}
