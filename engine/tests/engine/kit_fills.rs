//! The limit of work in a dense fill on whole kits.

use urto_engine::patch::factory_presets;
use urto_engine::{Engine, EngineConfig};

use crate::kit_tasks::fill;

const RATE: f64 = 48e3;
const BLOCK: usize = 64;

/// Largest part of the frames in which the limit of work may lengthen substeps.
const MOST_BOUND: f64 = 1e-3;

/// Ten strokes in one frame are among the strokes.
#[test]
#[ignore = "thorough tier: builds whole kits"]
fn the_limit_of_work_hardly_binds_in_a_fill() {
    let strokes = fill();
    for kit in factory_presets::kits() {
        let mut engine = Engine::new(EngineConfig::at(RATE), &kit);
        let (mut due, mut left, mut right) = (strokes.iter().peekable(), [0.0; BLOCK], [0.0; BLOCK]);
        let end = strokes.last().map_or(0, |(frame, _)| *frame) + RATE as usize / 2;
        for block in 0..end / BLOCK {
            while let Some((_, event)) = due.next_if(|(frame, _)| *frame < (block + 1) * BLOCK) {
                engine.event(event);
            }
            engine.render(&mut left, &mut right, [&[]; 2]);
        }
        let spent = engine.cost_totals();
        let part = spent.bound as f64 / spent.frames as f64;
        println!("{}: {part:.2e} of {} frames", kit.name, spent.frames);
        assert!(spent.frames > 20_000 && part <= MOST_BOUND, "{}: {spent:?}", kit.name);
    }
}
