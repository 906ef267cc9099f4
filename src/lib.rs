//! Urto (Italian for collision): a percussion instrument built on contact physics.
//!
//! A hammer with mass and speed meets a vibrating body through a nonlinear contact force. From that one law come loudness,
//! brightness, contact time, bounce, and the difference between one hit and the next.
//!
//! Floors 0 and 1 are a library of their own, without any feature: the [`physics`] of bodies and contacts, and the [`engine`] that
//! plays them. One stroke on one key:
//!
//! ```
//! use urto_engine::{Config, Engine, Event, NoteId, preset};
//!
//! let marimba = preset::all().find(|patch| patch.name == "Rosewood Marimba").expect("it is built in");
//! let mut engine = Engine::new(Config::at(48_000.0), &marimba);
//! engine.event(&Event::NoteOn { note: NoteId { key: 60, ..NoteId::default() }, velocity: 0.8 });
//! let [mut left, mut right] = [[0.0; 4800]; 2];
//! engine.render(&mut left, &mut right, [&[], &[]]);
//! assert!(left.iter().any(|sample| sample.abs() > 0.01));
//! ```
//!
//! More stand in `examples/`: one strike, a bouncing ball, a body from a table, contact time over stiffness, a drum machine.
//!
//! # The house
//!
//! Arrows point down only. Floors 0 and 1 build without any feature.
//!
//! ```text
//! src/
//!   lib.rs               front door: this map, feature gates, plugin exports
//!   physics/             FLOOR 0  bodies, contact, time stepping; SI units, f64 (a crate of its own: physics/src)
//!     lib.rs             the model on one page: symbols, units, equations, references
//!     contact.rs         the contact laws, and what the solver asks of any of them
//!     hunt_crossley.rs   Hunt and Crossley's law: potential, force of a substep, loss, divided differences
//!     hertz.rs           the same where its exponent is 3/2: by roots, with one division
//!     power.rs           powers, and how they grow over a substep
//!     linear.rs          a linear spring beside a linear damper
//!     restitution.rs     a power law that gives back a share of the energy
//!     felt.rs            Stulov's felt and its energy
//!     equation.rs        the scalar equation of one substep, solved inside a bracket
//!     edge.rs            the same in the first and the last substep of a contact
//!     inside.rs          the same where a substep starts in the contact: mostly one look at the force
//!     exact.rs           one hammer in linear contact, a sample at a time, with the offset element
//!     pair.rs            hammer and body in such a contact as one system, and who hears it
//!     impact.rs          closed forms against a rigid wall: x_max, v_out, contact time, phase portrait
//!     modes.rs           one mode: exact free step, response to a constant force, loss
//!     propagator.rs      the exact steps of many modes at once
//!     bank.rs            a set of modes: its state, and the tables of its steps
//!     lanes.rs           sums and steps over many modes, as wide as the processor goes
//!     shapes/            geometry and material -> modes with signed shapes, a file a kind of body
//!     striker.rs         a hammer: its modes, its law, where it stands in the contact
//!     gap.rs             where a hammer stands: geometry, offset, and the profile between it and the body
//!     rack.rs            where the hammers of a body hang, and are lent
//!     tether.rs          where the spring of a hammer that stays rests
//!     throw.rs           throwing hammers at a body, and taking them away
//!     collision.rs       the coupled system, a sample at a time: predict, solve, apply, book
//!     alone.rs           a substep of a body that one hammer has for itself
//!     flight.rs          free flight to the end of the sample or to the first onset in it
//!     level.rs           how finely a contact is stepped
//!     thrift.rs          what a sample may cost, and what is given up where it would cost more
//!     stretch.rs         several substeps of a lone contact in one pass over the modes
//!     pushed.rs          how far a light hammer goes under a great push
//!     march.rs           a hammer's own modes over them
//!     sweep.rs           the forces of several contacts at once
//!     meeting.rs         the same where all are resolved, at once
//!     obstacle.rs        what a body knocks against from behind, fixed or loose
//!     jumps.rs           parameters that change in contact without bringing energy
//!     eigenbasis/        hammer and body in linear contact: their common eigenvectors, found while they play
//!     surface.rs         heights that something meets which rolls or scrapes: chance, ribs, a recorded profile
//!     rolling.rs         how high a surface lifts what rolls over it
//!     radiation.rs       what is heard beside a body of its velocity, and the sound of a hammer's head
//!     estimate/          the partials of a recorded stroke: bands, ESPRIT in each, all fitted at once
//!     energy.rs          the ledger: stored + lost - supplied = what there was
//!     readout.rs         what a contact did, read exactly
//!     strike.rs          the laboratory: one strike, fully booked
//!     schemes/           the papers' own methods, a file each, for the laboratory
//!   engine/              FLOOR 1  an instrument: physics + notes -> samples; allocates only when built (a crate: engine/src)
//!     lib.rs             notes and knobs in at their frames, samples out
//!     knob.rs            every knob once: id, name, group, unit, range, default
//!     choices.rs         names that knobs choose among
//!     patch.rs           what the sound is: plain data in SI units
//!     preset.rs          a patch as text
//!     factory.rs         the presets that are built in, in their families
//!     library.rs         the presets on this computer, and their numbers
//!     import/mod.rs      measured modes from TOML, JSON and CSV as a patch
//!     import/recording.rs partials of a recording as a patch
//!     import/record.rs   keys and values of such a file, each with its place
//!     import/forms.rs    the three forms of such a file
//!     free.rs            a free list of modes, in a patch and as a body
//!     trim.rs            single partials as the player wants them
//!     migration.rs       patches of older schemas
//!     kit.rs             zones of the keyboard, each with a sound of its own
//!     crew.rs            who plays a kit: an engine a zone
//!     beyond.rs          what a patch of a newer schema says beyond what is known
//!     tuning.rs          the frequency of every key, and what it is made of
//!     scala.rs           Scala scales and key maps
//!     intonation.rs      how a patch is tuned, and the section [tuning] of its text
//!     keyboard.rs        what every key plays now, with the knobs of pitch
//!     text.rs            TOML in which every value knows its line
//!     event.rs           what the player does, at a frame
//!     hands.rs           pedals, bend, wheel and pressure of sixteen channels
//!     zone.rs            channels that carry one note each: MPE
//!     bend.rs            a bend on its way
//!     sway.rs            what hands move about one note
//!     grip.rs            the knobs as one note's hammer has them
//!     chance.rs          dice with a seed, and what they make of a strike
//!     choke.rs           keys that choke each other
//!     glide.rs           knobs that move smoothly, on a grid of 16 frames
//!     ease.rs            numbers that head for others with a time constant
//!     body.rs            a prepared body: the modes of every key
//!     kinds.rs           what every kind of body is made of, and how it may differ
//!     morph.rs           from one body to another
//!     partials.rs        the partials of a prepared body, tuned many at once
//!     rest.rs            an engine in which nothing happens
//!     retune.rs          bodies whose pitch or losses move
//!     shelf.rs           the bodies in use, and the one that waits
//!     scene.rs           what counts at one frame
//!     object.rs          one sounding body: in contact, ringing, asleep
//!     thrown.rs          the hammers on it
//!     pull.rs            what draws a struck hammer back
//!     ring.rs            a body alone, frame by frame
//!     resonators.rs      the fast path of a body alone
//!     ahead.rs           what a ringing body has rendered ahead of its state
//!     pickup.rs          what is heard of each mode
//!     rattle.rs          what bodies knock against from behind
//!     hammer.rs          what is thrown: point mass, stick, brush
//!     contact.rs         which law the knobs describe
//!     exact.rs           bases for linear contacts that all bodies share
//!     drive/mod.rs       a signal as a force on a hammer that stays on its body
//!     drive/source.rs    what drives: side-chain, sine, saw, noise, dust, recording, pattern
//!     drive/score.rs     what of it no knob can hold: pattern and recording
//!     drive/sample.rs    a recording that drives
//!     drive/beat.rs      where the music is, for patterns
//!     drive/signal.rs    filters, follower and what else is between source and hammer
//!     drive/tether.rs    what holds the hammer
//!     drive/hung.rs      on which body it hangs, and what pushes it
//!     drive/trace.rs     what it did lately, for display
//!     rolling.rs         what rolls or scrapes under the driven hammer
//!     listening.rs       how a body is heard: pickups, radiation, tube
//!     quiet.rs           when a body has died away
//!     notes.rs           who plays an object, and whose sound has ended
//!     pool.rs            hammers that all bodies share
//!     stage.rs           all objects, and what happens to them on the grid
//!     playing.rs         what the player does reaches the bodies
//!     room.rs            the object of a key, and who has to give way
//!     mix.rs             frames out of the stage
//!     relief.rs          who leaves when there are too many
//!     report.rs          what an engine tells of itself
//!     blend.rs           dry and wet
//!     wav.rs             WAV files that are read
//!     output.rs          level, DC block, limiter; the one place f64 becomes f32
//!     hit.rs             the force pulse of one contact, for display
//!     swing.rs           how a body swings, for display
//!     gesture.rs         what hands do to notes, for display
//!   params.rs            FLOOR 2  the knobs dressed as host parameters; adds none
//!   params/dressed.rs    FLOOR 2  one knob as a host parameter
//!   params/pages.rs      FLOOR 2  the knobs on hardware controllers, in pages of eight
//!   params/quantity.rs   FLOOR 2  values as players read and type them
//!   params/rehearsal.rs  FLOOR 2  a host for tests of what the editor asks
//!   link.rs              FLOOR 2  all that crosses threads: meters and hits out, prepared bodies in, old ones back
//!   link/audio.rs        FLOOR 2  the audio thread's end of all wires
//!   link/desk.rs         FLOOR 2  the patch as its threads share it, the tuning in force
//!   link/programs.rs     FLOOR 2  program changes, read on the worker
//!   link/shown.rs        FLOOR 2  tests of what an open window is told
//!   link/tap.rs          FLOOR 2  the sound on its way to an open window
//!   link/bell.rs         FLOOR 2  tells the host that a program change has moved its parameters
//!   mts_esp.rs           FLOOR 2  a client of MTS-ESP: another plugin tunes this one
//!   graphics.rs          FLOOR 2  keeps the system's graphics library in memory between windows
//!   worker.rs            FLOOR 2  the one thread of the process that prepares bodies
//!   editor/              FLOOR 3  egui; reads params and snapshots, writes through the host
//!   plugin.rs            ROOF     nice-plug glue: host events -> engine events, state; nothing else
//!   plugin/rig.rs        ROOF     what instrument and effect share: the engine between host, knobs and wires
//!   plugin/instrument.rs ROOF     the instrument: notes in, stereo out, a side-chain
//!   plugin/effect.rs     ROOF     the effect: what comes in drives the hammer
//!   plugin/notes.rs      ROOF     the notes that a host has begun, by which its addresses are read
//!   plugin/play.rs       ROOF     notes, controllers, note expressions and per-note modulation, as engine events
//!   plugin/playhead.rs   ROOF     whether the transport has started or jumped
//!   plugin/program.rs    ROOF     a program change: the preset with its number
//!   clap_entry/          ROOF     the CLAP entry, with the host's event times and ports set straight
//!   vst3_entry/          ROOF     the VST3 entry, with buses and controllers settled, and the host's data set straight
//!   studio/              ROOF     plays scenes in the editor, paints and times them; in the standalone alone
//!   main.rs              the standalone
//!   bin/urto-cli/        side door on floors 0 and 1: render, strike, modes, params, presets, tune
//! ```
#![deny(unsafe_code)]
#![warn(missing_docs)]
// nothing that plays panics: docs/real-time.md
#![cfg_attr(
    not(test),
    warn(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic,
        clippy::unreachable,
        clippy::todo,
        clippy::unimplemented,
        clippy::get_unwrap
    )
)]
// units and papers stand in brackets, [kg], [PAR 11]; links in brackets and backticks, which `cargo xtask test` follows
#![allow(rustdoc::broken_intra_doc_links)]

#[doc(inline)]
pub use urto_engine as engine;
#[doc(inline)]
pub use urto_physics as physics;

#[cfg(feature = "plugin")]
pub(crate) mod clap_entry;
#[cfg(feature = "plugin")]
#[forbid(unsafe_code)]
pub mod editor;
#[cfg(feature = "standalone")]
#[allow(unsafe_code)]
pub mod editor_capture;
#[cfg(feature = "plugin")]
mod graphics_library;
#[cfg(feature = "plugin")]
pub mod host_params;
#[cfg(feature = "plugin")]
pub mod mts_esp;
#[cfg(feature = "plugin")]
#[forbid(unsafe_code)]
pub mod plugin;
#[cfg(feature = "plugin")]
#[forbid(unsafe_code)]
pub mod threads;
#[cfg(feature = "plugin")]
pub(crate) mod vst3_entry;

#[cfg(feature = "plugin")]
pub use crate::clap_entry::clap_entry;
