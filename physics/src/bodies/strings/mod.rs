//! Strings that share a bridge and a soundboard.

mod course_shapes;
mod soundboard;
mod string_course;

pub use crate::bodies::strings::soundboard::Soundboard;
pub use crate::bodies::strings::string_course::{CourseParts, StringCourse, StringJoint};
