//! The VST3 factory and the functions that a host looks up in the library.
//!
//! nice-plug 0.4.2 as VST3 reads past the host's array when a side-chain is arranged, offers no mono side-chain, does not know
//! whether the side-chain is switched on, does not check channel pointers, and announces 2,080 hidden parameters as soon as it
//! receives controllers. [`component`](super::component) forwards what works and replaces the rest.
//!
//! nice-plug's export macro makes its factory private; this is the same factory written out. Unsafe because VST3 is COM.

use std::ffi::c_void;

use nice_plug::wrapper::vst3::PluginInfo;
use nice_plug::wrapper::vst3::vst3::Steinberg::{
    FIDString, FUnknown, IPluginFactory, IPluginFactory2, IPluginFactory2Trait, IPluginFactory3, IPluginFactory3Trait,
    IPluginFactoryTrait, PClassInfo, PClassInfo2, PClassInfoW, PFactoryInfo, TUID, int32, kInvalidArgument, kResultOk, tresult,
};
use nice_plug::wrapper::vst3::vst3::{Class, ComPtr, ComWrapper};

use crate::plugin::{FonoBump, Urto};
use crate::vst3_entry::component::{Component, ExportedPlugin};

impl ExportedPlugin for Urto {
    const HAS_MAIN_INPUT: bool = false;
}

impl ExportedPlugin for FonoBump {
    const HAS_MAIN_INPUT: bool = true;
}

/// Creates a component; the caller holds its only reference.
type Create = fn() -> Option<ComPtr<FUnknown>>;

/// Describes and creates the plugins. Hosts that support only one plugin per file take the first.
struct Factory([(PluginInfo, Create); 2]);

impl Class for Factory {
    type Interfaces = (IPluginFactory, IPluginFactory2, IPluginFactory3);
}

fn create<P: ExportedPlugin>() -> Option<ComPtr<FUnknown>> {
    ComWrapper::new(Component::<P>::new()).to_com_ptr()
}

impl Factory {
    fn new() -> Self {
        Self([(PluginInfo::for_plugin::<Urto>(), create::<Urto>), (PluginInfo::for_plugin::<FonoBump>(), create::<FonoBump>)])
    }

    /// Writes a description of class `index`.
    ///
    /// # Safety
    /// `to` must be null or valid for writing.
    unsafe fn describe<T>(&self, index: int32, to: *mut T, description: impl FnOnce(&PluginInfo) -> T) -> tresult {
        let (Some((info, _)), false) = (usize::try_from(index).ok().and_then(|index| self.0.get(index)), to.is_null()) else {
            return kInvalidArgument;
        };
        // SAFETY: valid by contract.
        unsafe { to.write(description(info)) };
        kResultOk
    }
}

impl IPluginFactoryTrait for Factory {
    unsafe fn getFactoryInfo(&self, info: *mut PFactoryInfo) -> tresult {
        // SAFETY: the host gives null or a valid place for the answer.
        unsafe { self.describe(0, info, PluginInfo::create_factory_info) }
    }

    unsafe fn countClasses(&self) -> int32 {
        self.0.len() as int32
    }

    unsafe fn getClassInfo(&self, index: int32, info: *mut PClassInfo) -> tresult {
        // SAFETY: the host gives null or a valid place for the answer.
        unsafe { self.describe(index, info, PluginInfo::create_class_info) }
    }

    unsafe fn createInstance(&self, class: FIDString, interface: FIDString, to: *mut *mut c_void) -> tresult {
        if class.is_null() || interface.is_null() || to.is_null() {
            return kInvalidArgument;
        }
        // SAFETY: both ids have 16 bytes in VST3; `queryInterface` counts a reference that keeps the component.
        unsafe {
            let class = *class.cast::<[u8; 16]>();
            let entry = self.0.iter().find(|(info, _)| *info.cid == class);
            let Some(component) = entry.and_then(|(_, create)| create()) else { return kInvalidArgument };
            let unknown = component.as_ptr();
            ((*(*unknown).vtbl).queryInterface)(unknown, interface.cast::<TUID>(), to)
        }
    }
}

impl IPluginFactory2Trait for Factory {
    unsafe fn getClassInfo2(&self, index: int32, info: *mut PClassInfo2) -> tresult {
        // SAFETY: the host gives null or a valid place for the answer.
        unsafe { self.describe(index, info, PluginInfo::create_class_info_2) }
    }
}

impl IPluginFactory3Trait for Factory {
    unsafe fn getClassInfoUnicode(&self, index: int32, info: *mut PClassInfoW) -> tresult {
        // SAFETY: the host gives null or a valid place for the answer.
        unsafe { self.describe(index, info, PluginInfo::create_class_info_unicode) }
    }

    unsafe fn setHostContext(&self, _: *mut FUnknown) -> tresult {
        kResultOk
    }
}

/// The symbol that VST3 hosts call.
#[unsafe(no_mangle)]
pub extern "system" fn GetPluginFactory() -> *mut c_void {
    let factory = ComWrapper::new(Factory::new());
    factory.to_com_ptr::<IPluginFactory>().map_or(std::ptr::null_mut(), |factory| factory.into_raw().cast())
}

/// The functions that hosts call after loading and before unloading the library, under each system's names.
macro_rules! library {
    ($system:meta, $convention:literal, $loaded:ident($($handle:ty)?), $unloaded:ident) => {
        #[cfg($system)]
        #[unsafe(no_mangle)]
        pub extern $convention fn $loaded($(_: $handle)?) -> bool {
            nice_plug::wrapper::setup_logger::<Urto>();
            #[cfg(windows)]
            crate::loaded_libraries::keep_this_library();
            true
        }

        #[cfg($system)]
        #[unsafe(no_mangle)]
        pub extern $convention fn $unloaded() -> bool {
            true
        }
    };
}

library!(all(target_family = "unix", not(target_os = "macos")), "C", ModuleEntry(*mut c_void), ModuleExit);
library!(target_os = "macos", "C", bundleEntry(*mut c_void), bundleExit);
library!(target_os = "windows", "system", InitDll(), ExitDll);
