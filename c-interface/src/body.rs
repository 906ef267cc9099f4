//! The drawn body of a patch: its mesh, and the shape of its modes at every point.

use std::ptr::null_mut;

use crate::errors::{OK, Status, fail};
use crate::memory::write_to;
use crate::patch::patch_at;
use urto_body_mesh::{BodyMesh, Form, Support, SurfacePoint, Wall, mode_shapes};
use urto_engine::body::{BodyScratch, BodySize, PreparedBody};
use urto_engine::params::ParamId;
use urto_engine::patch::Patch;
use urto_engine::telemetry::MAX_SHOWN_MODES;

/// Number of values of a point: see `urto_body_points`.
const POINT_VALUES: usize = 10 + MAX_SHOWN_MODES;

/// A body ready to be drawn; its lists are flat for other languages.
pub struct DrawnBody {
    mesh: BodyMesh,
    points: Vec<f32>,
    grids: Vec<f32>,
    edges: Vec<f32>,
    indices: Vec<u32>,
}

/// How a body is viewed and supported: `urto_body_view`.
#[repr(C)]
pub struct View {
    yaw: f32,
    pitch: f32,
    floor: f32,
    form: u32,
    support: u32,
    is_line: u32,
    ghost: i32,
}

impl DrawnBody {
    fn new(patch: &Patch) -> Self {
        let body = PreparedBody::of(patch);
        let settings = patch.settings_with_macros();
        let mesh = BodyMesh::new(Form::of_body(&body.request(), body.family(0).is_some()));
        let size = BodySize { mass: settings.get(ParamId::BodyMass), morph: settings.get(ParamId::Morph) };
        let mut scratch = BodyScratch::new(MAX_SHOWN_MODES + 2);
        let mut points = Vec::with_capacity(mesh.points.len() * POINT_VALUES);
        for SurfacePoint { rest, direction, position, brightness, is_lower_plate } in &mesh.points {
            points.extend(rest);
            points.extend(direction);
            points.extend([position.along as f32, position.across as f32, *brightness, f32::from(u8::from(*is_lower_plate))]);
            points.extend(mode_shapes(&body, size, *position, &mut scratch));
        }
        let grid = |grid: &urto_body_mesh::Grid| {
            let [x, y] = grid.slopes.unwrap_or([f32::NAN; 2]);
            [grid.first as f32, grid.rows as f32, grid.columns as f32, x, y]
        };
        let grids = mesh.grids.iter().flat_map(grid).collect();
        let edges = mesh.edges.iter().flat_map(|edge| [edge.points.len() as f32, edge.width, edge.opacity]).collect();
        let indices = mesh.edges.iter().flat_map(|edge| edge.points.iter().copied()).collect();
        Self { mesh, points, grids, edges, indices }
    }

    fn view(&self) -> View {
        let form = self.mesh.form;
        let (yaw, pitch) = form.best_view();
        let (number, support) = match form {
            Form::Bar(support, cut) => (if cut { 1 } else { 0 }, support_number(support)),
            Form::Round(shell) => (if shell { 3 } else { 2 }, 0),
            Form::TwoHeads => (4, 0),
            Form::TwoPlates => (5, 0),
            Form::Plate => (6, 0),
            Form::String(_) => (7, 0),
            Form::Course(_) => (8, 0),
            Form::Wall(Wall::Bell) => (9, 0),
            Form::Wall(Wall::Bowl) => (10, 0),
            Form::Wall(Wall::Glass) => (11, 0),
            Form::Tube => (12, 0),
        };
        let ghost = self.mesh.ghost.map_or(-1, |ghost| ghost as i32);
        View { yaw, pitch, floor: form.floor(), form: number, support, is_line: u32::from(form.is_line()), ghost }
    }
}

fn support_number(support: Support) -> u32 {
    match support {
        Support::Free => 0,
        Support::Clamped => 1,
        Support::Supported => 2,
        Support::Cantilever => 3,
    }
}

/// The sound of the zone of `key`, or the patch itself if it is not a kit.
fn sound_of(patch: &Patch, key: u32) -> Patch {
    let zone = u8::try_from(key).ok().and_then(|key| patch.zones.iter().find(|zone| zone.holds(key)));
    zone.or(patch.zones.first()).map_or_else(|| patch.clone(), |zone| zone.sound_in(patch))
}

/// The object behind `body`; stores a sentence if it is null.
///
/// # Safety
/// `body` is null or a living body.
unsafe fn body_at<'a>(body: *const DrawnBody) -> Option<&'a DrawnBody> {
    // SAFETY: as required of the caller
    let found = unsafe { body.as_ref() };
    if found.is_none() {
        fail("the body is null: create one with urto_body_new");
    }
    found
}

/// Writes the number of values of a list to `count` and returns the list.
///
/// # Safety
/// `body` is null or a living body; `count` is null or writable.
unsafe fn list<T>(body: *const DrawnBody, count: *mut u32, of: impl Fn(&DrawnBody) -> &Vec<T>) -> *const T {
    // SAFETY: as required of the caller
    let Some(body) = (unsafe { body_at(body) }) else { return std::ptr::null() };
    let list = of(body);
    // SAFETY: as required of the caller
    unsafe { write_to(count, list.len() as u32) };
    list.as_ptr()
}

/// See `urto.h`.
///
/// # Safety
/// `patch` is null or a living patch.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn urto_body_new(patch: *const Patch, key: u32) -> *mut DrawnBody {
    // SAFETY: as required of the caller
    let Some(patch) = (unsafe { patch_at(patch) }) else { return null_mut() };
    Box::into_raw(Box::new(DrawnBody::new(&sound_of(patch, key))))
}

/// See `urto.h`.
///
/// # Safety
/// `body` is null or a body that is not used any more.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn urto_body_free(body: *mut DrawnBody) {
    if !body.is_null() {
        // SAFETY: as required of the caller
        drop(unsafe { Box::from_raw(body) });
    }
}

/// See `urto.h`.
///
/// # Safety
/// `body` is null or a living body; `view` is null or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn urto_body_view(body: *const DrawnBody, view: *mut View) -> Status {
    // SAFETY: as required of the caller
    let Some(body) = (unsafe { body_at(body) }) else { return -1 };
    // SAFETY: as required of the caller
    unsafe { write_to(view, body.view()) };
    OK
}

/// See `urto.h`.
///
/// # Safety
/// `body` is null or a living body; `count` is null or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn urto_body_points(body: *const DrawnBody, count: *mut u32) -> *const f32 {
    // SAFETY: as required of the caller
    unsafe { list(body, count, |body| &body.points) }
}

/// See `urto.h`.
///
/// # Safety
/// `body` is null or a living body; `count` is null or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn urto_body_grids(body: *const DrawnBody, count: *mut u32) -> *const f32 {
    // SAFETY: as required of the caller
    unsafe { list(body, count, |body| &body.grids) }
}

/// See `urto.h`.
///
/// # Safety
/// `body` is null or a living body; `count` is null or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn urto_body_edges(body: *const DrawnBody, count: *mut u32) -> *const f32 {
    // SAFETY: as required of the caller
    unsafe { list(body, count, |body| &body.edges) }
}

/// See `urto.h`.
///
/// # Safety
/// `body` is null or a living body; `count` is null or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn urto_body_indices(body: *const DrawnBody, count: *mut u32) -> *const u32 {
    // SAFETY: as required of the caller
    unsafe { list(body, count, |body| &body.indices) }
}
