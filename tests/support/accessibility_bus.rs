//! A D-Bus session with an accessibility bus, and a client of it that does what a screen reader does.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use zbus::blocking::Connection;
use zbus::blocking::connection::Builder;
use zbus::zvariant::{OwnedObjectPath, OwnedValue, Value};

/// Programs of the accessibility bus in the distributions.
const LAUNCHERS: [&str; 3] =
    ["/usr/libexec/at-spi-bus-launcher", "/usr/lib/at-spi2-core/at-spi-bus-launcher", "/usr/lib/at-spi-bus-launcher"];

/// What is missing for an accessibility bus on this machine, if anything.
pub fn missing() -> Option<String> {
    let has_bus = Command::new("dbus-daemon").arg("--version").stdout(Stdio::null()).status().is_ok();
    let has_launcher = LAUNCHERS.iter().any(|path| Path::new(path).exists());
    (!has_bus || !has_launcher).then(|| "no accessibility bus: install dbus and at-spi2-core".to_owned())
}

/// A session that ends with its owner.
pub struct Session(Child);

impl Drop for Session {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

impl Session {
    /// Starts a session. Returns it with its address.
    pub fn start() -> (Self, String) {
        let mut server = Command::new("dbus-daemon");
        server.args(["--session", "--nofork", "--nopidfile", "--print-address"]);
        // the switch for assistive technology is a setting of the user, which stays as it is
        server.env("GSETTINGS_BACKEND", "memory");
        let mut server = server.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().expect("a session");
        let mut address = String::new();
        BufReader::new(server.stdout.take().expect("piped")).read_line(&mut address).expect("an address");
        (Self(server), address.trim().to_owned())
    }
}

/// An object on the accessibility bus: the name of its connection, and its path.
type Reference = (String, OwnedObjectPath);

/// A role by its number in AT-SPI.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Role(u32);

impl Role {
    /// A window.
    pub const FRAME: Self = Self(23);
    /// The tab of a page.
    pub const PAGE_TAB: Self = Self(37);
    /// A group of controls.
    pub const PANEL: Self = Self(39);
    /// A control with a number.
    pub const SLIDER: Self = Self(51);
}

/// A control as a screen reader finds it.
#[derive(Clone, Debug)]
pub struct Found {
    /// Its role.
    pub role: Role,
    /// Its name.
    pub name: String,
    /// Its description.
    pub description: String,
    place: Reference,
}

/// A client of the accessibility bus.
pub struct Client {
    session: Connection,
    bus: Connection,
}

impl Client {
    /// Connects to the accessibility bus of the session at `address`, which starts on demand.
    pub fn connect(address: &str) -> zbus::Result<Self> {
        let session = Builder::address(address)?.build()?;
        let place = session.call_method(Some("org.a11y.Bus"), "/org/a11y/bus", Some("org.a11y.Bus"), "GetAddress", &())?;
        let place: String = place.body().deserialize()?;
        Ok(Self { session, bus: Builder::address(place.as_str())?.build()? })
    }

    /// Switches assistive technology on or off for the session.
    pub fn switch(&self, on: bool) -> zbus::Result<()> {
        let (properties, value) = (Some("org.freedesktop.DBus.Properties"), Value::from(on));
        let arguments = ("org.a11y.Status", "IsEnabled", value);
        self.session.call_method(Some("org.a11y.Bus"), "/org/a11y/bus", properties, "Set", &arguments).map(drop)
    }

    /// All controls of the program `name`; none if it is not on the bus.
    pub fn controls(&self, name: &str) -> Vec<Found> {
        let root =
            ("org.a11y.atspi.Registry".to_owned(), OwnedObjectPath::try_from("/org/a11y/atspi/accessible/root").expect("a path"));
        let mut found = Vec::new();
        for program in self.children(&root) {
            if self.look_at(&program).is_ok_and(|program| program.name == name) {
                self.collect(&program, &mut found);
            }
        }
        found
    }

    fn collect(&self, place: &Reference, found: &mut Vec<Found>) {
        found.extend(self.look_at(place));
        self.children(place).iter().for_each(|child| self.collect(child, found));
    }

    fn children(&self, place: &Reference) -> Vec<Reference> {
        self.call(place, "Accessible", "GetChildren").and_then(|reply| reply.body().deserialize()).unwrap_or_default()
    }

    fn look_at(&self, place: &Reference) -> zbus::Result<Found> {
        let role = Role(self.call(place, "Accessible", "GetRole")?.body().deserialize()?);
        let text = |name: &str| Ok::<_, zbus::Error>(String::try_from(self.property(place, "Accessible", name)?)?);
        Ok(Found { role, name: text("Name")?, description: text("Description")?, place: place.clone() })
    }

    fn call(&self, (owner, path): &Reference, interface: &str, method: &str) -> zbus::Result<zbus::Message> {
        self.bus.call_method(Some(owner.as_str()), path, Some(format!("org.a11y.atspi.{interface}").as_str()), method, &())
    }

    fn property(&self, (owner, path): &Reference, interface: &str, name: &str) -> zbus::Result<OwnedValue> {
        let arguments = (format!("org.a11y.atspi.{interface}"), name);
        let properties = Some("org.freedesktop.DBus.Properties");
        self.bus.call_method(Some(owner.as_str()), path, properties, "Get", &arguments)?.body().deserialize()
    }

    /// A number of a control: its value, minimum or maximum.
    pub fn number(&self, control: &Found, name: &str) -> f64 {
        f64::try_from(self.property(&control.place, "Value", name).expect("a value")).expect("a number")
    }

    /// Asks a control for a value.
    pub fn set(&self, control: &Found, value: f64) {
        let (owner, path) = &control.place;
        let arguments = ("org.a11y.atspi.Value", "CurrentValue", Value::from(value));
        let properties = Some("org.freedesktop.DBus.Properties");
        self.bus.call_method(Some(owner.as_str()), path, properties, "Set", &arguments).expect("a control with a value");
    }

    /// Asks a control for its first action.
    pub fn act(&self, control: &Found) {
        let (owner, path) = &control.place;
        self.bus.call_method(Some(owner.as_str()), path, Some("org.a11y.atspi.Action"), "DoAction", &0i32).expect("an action");
    }
}
