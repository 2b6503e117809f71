//! Encodes frames one by one as PNG, animated PNG, animated GIF, or pixels for a video.
//!
//! All frames of pictures share one palette: files stay small, and colours do not flicker from frame to frame.

use super::frame_data::{FrameReader, RecordedFrames};
use super::frame_renderer::FrameRenderer;
use super::palette::IndexedPalette;
use super::schedule::FrameSchedule;
use gif::{DisposalMethod, Frame, Repeat};
use indicatif::{ProgressBar, ProgressStyle};
use png::{BitDepth, ColorType, Encoder};
use std::borrow::Cow;
use std::io::{self, Write};

/// Draws and encodes the frames of a movie.
pub struct MovieEncoder<'a> {
    renderer: &'a FrameRenderer<'a>,
    reader: FrameReader<'a>,
    schedule: FrameSchedule,
    palette: IndexedPalette,
    /// RGB pixels of the current frame.
    pixels: Vec<u8>,
    rendered: u64,
    bar: ProgressBar,
}

impl<'a> MovieEncoder<'a> {
    /// An encoder positioned before the first frame.
    pub fn new(renderer: &'a FrameRenderer<'a>, frames: &'a RecordedFrames) -> io::Result<Self> {
        let (width, height) = renderer.size();
        // indicatif draws nothing if stderr is not a terminal.
        let style = ProgressStyle::with_template("{bar:30} {percent:>3} %  {pos} of {len} frames, {eta} left");
        let style = style.expect("a valid template");
        Ok(Self {
            renderer,
            reader: frames.reader()?,
            schedule: frames.schedule,
            palette: IndexedPalette::new(),
            pixels: vec![0; width as usize * height as usize * 3],
            rendered: 0,
            bar: ProgressBar::new(frames.schedule.count).with_style(style),
        })
    }

    /// Width and height of a frame \[pixels\].
    pub fn size(&self) -> (u32, u32) {
        self.renderer.size()
    }

    /// Draws the next frame into `pixels`.
    fn draw_pixels(&mut self) -> io::Result<()> {
        let values = self.reader.next_frame()?;
        self.renderer.draw(self.rendered, values, &mut self.pixels).map_err(io::Error::other)?;
        self.rendered += 1;
        self.bar.set_position(self.rendered);
        if self.rendered == self.schedule.count {
            self.bar.finish_and_clear();
        }
        Ok(())
    }

    /// Draws the next frame; returns a palette index per pixel.
    fn draw_next(&mut self) -> io::Result<Vec<u8>> {
        self.draw_pixels()?;
        Ok(self.palette.indices(&self.pixels))
    }

    /// Writes the next frame as RGB pixels, row by row.
    pub fn write_rgb(&mut self, mut file: impl Write) -> io::Result<()> {
        self.draw_pixels()?;
        file.write_all(&self.pixels)
    }

    fn png_encoder<W: Write>(&self, file: W) -> Encoder<'static, W> {
        let (width, height) = self.renderer.size();
        let mut encoder = Encoder::new(file, width, height);
        encoder.set_color(ColorType::Indexed);
        encoder.set_depth(BitDepth::Eight);
        encoder.set_palette(self.palette.rgb_bytes());
        encoder
    }

    /// Writes the next frame as a PNG file.
    pub fn write_png(&mut self, file: impl Write) -> io::Result<()> {
        let pixels = self.draw_next()?;
        let mut writer = self.png_encoder(file).write_header()?;
        writer.write_image_data(&pixels)?;
        Ok(writer.finish()?)
    }

    /// Writes all frames as an animated PNG.
    pub fn write_apng(&mut self, file: impl Write) -> io::Result<()> {
        let mut encoder = self.png_encoder(file);
        encoder.set_animated(self.schedule.count as u32, 0)?;
        encoder.set_frame_delay(1, self.schedule.fps as u16)?;
        let mut writer = encoder.write_header()?;
        for _ in 0..self.schedule.count {
            writer.write_image_data(&self.draw_next()?)?;
        }
        Ok(writer.finish()?)
    }

    /// Writes all frames as an animated GIF.
    pub fn write_gif(&mut self, file: impl Write) -> io::Result<()> {
        let (width, height) = self.renderer.size();
        let (width, height) = (width as u16, height as u16);
        let mut encoder =
            gif::Encoder::new(file, width, height, &self.palette.rgb_bytes()).map_err(io::Error::other)?;
        encoder.set_repeat(Repeat::Infinite).map_err(io::Error::other)?;
        for index in 0..self.schedule.count {
            let frame = Frame {
                width,
                height,
                delay: self.schedule.delay_centiseconds(index),
                dispose: DisposalMethod::Keep,
                buffer: Cow::Owned(self.draw_next()?),
                ..Frame::default()
            };
            encoder.write_frame(&frame).map_err(io::Error::other)?;
        }
        Ok(())
    }
}
