//! Pictures drawn one by one, and put into files: PNG, animated PNG, animated GIF.
//!
//! All have the same table of colours: files stay small, and colours do not flicker from picture to picture.

use super::colours::Colours;
use super::picture::Picture;
use super::reel::{Projector, Reel};
use super::shots::Shots;
use gif::{DisposalMethod, Frame, Repeat};
use indicatif::{ProgressBar, ProgressStyle};
use png::{BitDepth, ColorType, Encoder};
use std::borrow::Cow;
use std::io::{self, Write};

/// Draws the pictures of a film.
pub struct Studio<'a> {
    picture: &'a Picture<'a>,
    projector: Projector<'a>,
    shots: Shots,
    colours: Colours,
    /// The present picture, three bytes per pixel.
    pixels: Vec<u8>,
    drawn: u64,
    bar: ProgressBar,
}

impl<'a> Studio<'a> {
    /// Ready to draw the first picture.
    pub fn new(picture: &'a Picture<'a>, reel: &'a Reel) -> io::Result<Self> {
        let (width, height) = picture.size();
        // indicatif itself stays silent where stderr is no terminal.
        let style = ProgressStyle::with_template("{bar:30} {percent:>3} %  {pos} of {len} pictures, {eta} left");
        let style = style.expect("a valid template");
        Ok(Self {
            picture,
            projector: reel.projector()?,
            shots: reel.shots,
            colours: Colours::new(),
            pixels: vec![0; width as usize * height as usize * 3],
            drawn: 0,
            bar: ProgressBar::new(reel.shots.count).with_style(style),
        })
    }

    /// Draws the next picture; a colour's number for each pixel.
    fn draw(&mut self) -> io::Result<Vec<u8>> {
        let values = self.projector.advance()?;
        self.picture.draw(self.drawn, values, &mut self.pixels).map_err(io::Error::other)?;
        self.drawn += 1;
        self.bar.set_position(self.drawn);
        if self.drawn == self.shots.count {
            self.bar.finish_and_clear();
        }
        Ok(self.colours.index(&self.pixels))
    }

    fn encoder<W: Write>(&self, file: W) -> Encoder<'static, W> {
        let (width, height) = self.picture.size();
        let mut encoder = Encoder::new(file, width, height);
        encoder.set_color(ColorType::Indexed);
        encoder.set_depth(BitDepth::Eight);
        encoder.set_palette(self.colours.table());
        encoder
    }

    /// Draws the next picture into a file of its own.
    pub fn png(&mut self, file: impl Write) -> io::Result<()> {
        let pixels = self.draw()?;
        let mut writer = self.encoder(file).write_header()?;
        writer.write_image_data(&pixels)?;
        Ok(writer.finish()?)
    }

    /// Draws all pictures into one file.
    pub fn apng(&mut self, file: impl Write) -> io::Result<()> {
        let mut encoder = self.encoder(file);
        encoder.set_animated(self.shots.count as u32, 0)?;
        encoder.set_frame_delay(1, self.shots.fps as u16)?;
        let mut writer = encoder.write_header()?;
        for _ in 0..self.shots.count {
            writer.write_image_data(&self.draw()?)?;
        }
        Ok(writer.finish()?)
    }

    /// The same as a GIF.
    pub fn gif(&mut self, file: impl Write) -> io::Result<()> {
        let (width, height) = self.picture.size();
        let (width, height) = (width as u16, height as u16);
        let mut encoder = gif::Encoder::new(file, width, height, &self.colours.table()).map_err(io::Error::other)?;
        encoder.set_repeat(Repeat::Infinite).map_err(io::Error::other)?;
        for shot in 0..self.shots.count {
            let frame = Frame {
                width,
                height,
                delay: self.shots.hundredths(shot),
                dispose: DisposalMethod::Keep,
                buffer: Cow::Owned(self.draw()?),
                ..Frame::default()
            };
            encoder.write_frame(&frame).map_err(io::Error::other)?;
        }
        Ok(())
    }
}
