//! Remote controls: pages of eight parameters for hardware controllers, as CLAP hosts show them.
//!
//! The first pages are the macros and what a player needs most; the others follow the signal flow: hammer, contact, drive, rattle, body, damping, controllers,
//! voices, output. A row of a controller has four encoders, so related parameters start a row.

use nice_plug::prelude::{RemoteControlsContext, RemoteControlsPage, RemoteControlsSection};

use crate::host_params::host_param::Parameter;
use crate::host_params::params::HostParams;
use urto_engine::params::ParamId;
use urto_engine::params::ParamId::*;

/// A page: its section, its name, and its parameters from left to right; `None` is an empty place.
type Page = (&'static str, &'static str, &'static [Option<ParamId>]);

const GAP: Option<ParamId> = None;

/// Number of parameters on a page.
const PAGE_SIZE: usize = 8;

/// All pages in their order; pages of one section are adjacent. Automatable parameters that are on none of them follow in the section
/// "More".
#[rustfmt::skip]
const PAGES: &[Page] = &[
    ("Macros", "Macros", &[
        Some(Macro1), Some(Macro2), Some(Macro3), Some(Macro4),
        Some(Macro5), Some(Macro6), Some(Macro7), Some(Macro8),
    ]),
    ("Play", "Play", &[
        Some(Hardness), Some(HammerMass), Some(StrikePosition), Some(VelocityCurve),
        Some(Body), Some(Tune), Some(Decay), Some(Level),
    ]),
    ("Hammer", "Strike", &[
        Some(SpeedLow), Some(SpeedHigh), Some(VelocityCurve), Some(HammerMass),
        Some(StrikePosition), Some(StrikeAcross), Some(Gravity), Some(KeyStrikes),
    ]),
    ("Hammer", "Hammer type", &[
        Some(Striker), Some(HammerMass), Some(Bending), Some(Scatter),
    ]),
    ("Hammer", "Flam and strum", &[
        Some(FlamTime), Some(FlamSpeed), GAP, GAP,
        Some(StrumStrokes), Some(StrumTime), Some(StrumWidth),
    ]),
    ("Hammer", "Contact", &[
        Some(Hardness), Some(Stiffness), Some(Exponent), Some(Damping),
        Some(Contact), Some(HammerMass),
    ]),
    ("Drive", "Drive", &[
        Some(DriveGain), Some(DriveSource), Some(DriveFrequency), Some(DriveStep),
        Some(DriveHighPass), Some(DriveLowPass), Some(DriveTracking), Some(DryWet),
    ]),
    ("Drive", "Follower", &[
        Some(Follow), Some(FollowAttack), Some(FollowRelease), GAP,
        Some(DriveNotes), Some(DriveChannels), Some(DriveApart),
    ]),
    ("Drive", "Mount", &[
        Some(Tether), Some(TetherDamping), Some(RestHeight), GAP,
        Some(Hold), Some(Gravity), Some(SpringBack), Some(KeyStrikes),
    ]),
    ("Drive", "Rolling", &[
        Some(RollSpeed), Some(Hold), Some(Roughness), Some(RollRadius),
        Some(Roll), Some(RollGrain), Some(RollSlope), Some(RollSway),
    ]),
    ("Drive", "Rolling surface", &[
        Some(Roll), Some(RollGrain), Some(RollLength), Some(RollSlope),
    ]),
    ("Rattle", "Rattle", &[
        Some(Rattle), Some(RattleGap), Some(RattlePress), Some(RattleMass),
        Some(RattlePosition), Some(RattleAcross), Some(RattleFrequency), Some(RattleDamping),
    ]),
    ("Rattle", "Rattle contact", &[
        Some(RattleStiffness), Some(RattleExponent), Some(RattleLoss), Some(RattleContact),
        Some(RattleCount), Some(ShellDrive),
    ]),
    ("Body", "Body", &[
        Some(Body), Some(Modes), Some(BodyMass), GAP,
        Some(Tune), Some(Inharmonicity), Some(Morph), Some(MorphTo),
    ]),
    ("Body", "Shape", &[
        Some(Aspect), Some(AirLoad), Some(Split), GAP,
        Some(Irregularity), Some(RatioPower), Some(Nonlinearity), Some(Edges),
    ]),
    ("Body", "Stiffening", &[
        Some(Nonlinearity), Some(Thickness), Some(Edges), Some(Material),
        Some(Dome), Some(Dents), Some(Specimen),
    ]),
    ("Body", "Two heads", &[
        Some(ResonantTune), Some(ResonantMass), Some(AirStiffness), Some(DrumDepth),
        Some(PickupLeftHead), Some(PickupRightHead), Some(RattleHead), Some(AirLoad),
    ]),
    ("Body", "String course", &[
        Some(CourseStrings), Some(Split), Some(SympatheticStrings), Some(BridgeStiffness),
        Some(BoardMass), Some(BoardDamping), Some(ResonantTune), Some(Aspect),
    ]),
    ("Body", "Knock", &[
        Some(KnockLevel), Some(KnockDecay), Some(KnockLoss), GAP,
        Some(KnockLow), Some(KnockHigh), Some(KnockSlope),
    ]),
    ("Body", "Shell", &[
        Some(ShellLevel), Some(ShellDecay), Some(ShellLoss), Some(ShellWidth),
        Some(ShellLow), Some(ShellHigh), Some(ShellSlope), Some(ShellModes),
    ]),
    ("Body", "Hi-hat", &[
        Some(HiHatPedal), Some(HiHatGap), Some(HiHatFriction), GAP,
        Some(BodyMass), Some(Thickness), Some(Decay),
    ]),
    ("Body", "Tube", &[
        Some(TubeCoupling), Some(TubeDetune), Some(TubeFlapRate), Some(TubeFlapDepth),
        Some(Corner), Some(Decay), Some(Loss), Some(Radiation),
    ]),
    ("Body", "Material", &[
        Some(Material), Some(Loss), Some(Viscosity), GAP,
        Some(ResonatorLoss), Some(MonopoleLoss), Some(DipoleLoss),
    ]),
    ("Body", "Damping", &[
        Some(Decay), Some(Loss), Some(Viscosity), GAP,
        Some(Release), Some(ReleaseTime), Some(ReleaseVelocity),
    ]),
    ("Performance", "Sources", &[
        Some(WheelTarget), Some(PressureTarget), Some(BrightnessTarget), Some(ExpressionTarget),
        Some(WheelAmount), Some(PressureAmount), Some(BrightnessAmount), Some(ExpressionAmount),
    ]),
    ("Performance", "Note control", &[
        Some(BendRange), Some(SoftPedal), Some(Release), Some(ReleaseVelocity),
        Some(Playing), Some(Legato), Some(Glide),
    ]),
    ("Performance", "Humanise", &[
        Some(HumanTime), Some(HumanPosition), Some(HumanSpeed), Some(HumanMass),
    ]),
    ("Modulation", "LFOs", &[
        Some(Lfo1Rate), Some(Lfo1Shape), Some(Lfo1Sync), Some(Lfo1Phase),
        Some(Lfo2Rate), Some(Lfo2Shape), Some(Lfo2Sync), Some(Lfo2Phase),
    ]),
    ("Modulation", "Envelopes", &[
        Some(Env1Attack), Some(Env1Decay), Some(Env1Sustain), Some(Env1Release),
        Some(Env2Attack), Some(Env2Decay), Some(Env2Sustain), Some(Env2Release),
    ]),
    ("Modulation", "Amounts 1 to 8", &[
        Some(Mod1Amount), Some(Mod2Amount), Some(Mod3Amount), Some(Mod4Amount),
        Some(Mod5Amount), Some(Mod6Amount), Some(Mod7Amount), Some(Mod8Amount),
    ]),
    ("Modulation", "Amounts 9 to 16", &[
        Some(Mod9Amount), Some(Mod10Amount), Some(Mod11Amount), Some(Mod12Amount),
        Some(Mod13Amount), Some(Mod14Amount), Some(Mod15Amount), Some(Mod16Amount),
    ]),
    ("Modulation", "Curves 1 to 8", &[
        Some(Mod1Curve), Some(Mod2Curve), Some(Mod3Curve), Some(Mod4Curve),
        Some(Mod5Curve), Some(Mod6Curve), Some(Mod7Curve), Some(Mod8Curve),
    ]),
    ("Modulation", "Curves 9 to 16", &[
        Some(Mod9Curve), Some(Mod10Curve), Some(Mod11Curve), Some(Mod12Curve),
        Some(Mod13Curve), Some(Mod14Curve), Some(Mod15Curve), Some(Mod16Curve),
    ]),
    ("Keys", "Keys", &[
        Some(Stage), Some(HomeKey), Some(Spread), GAP,
        Some(Voices), Some(Playing), Some(Legato), Some(Glide),
    ]),
    ("Keys", "Tracking", &[
        Some(TrackHammer), Some(TrackStiffness), Some(TrackBody), Some(TrackDecay),
    ]),
    ("Pitch", "Pitch", &[
        Some(ConcertPitch), Some(Stretch), Some(Sounding), Some(MtsEsp),
    ]),
    ("Output", "Radiation", &[
        Some(Radiation), Some(Corner), Some(CornerTracking), GAP,
        Some(Resonator), Some(ResonatorLoss), Some(MonoBelow), Some(Click),
    ]),
    ("Output", "Output", &[
        Some(PickupLeft), Some(PickupRight), GAP, GAP,
        Some(PickupLeftAcross), Some(PickupRightAcross), Some(Bleed), Some(Level),
    ]),
    ("Output", "Microphones", &[
        Some(CloseLevel), Some(OverheadLevel), Some(FarLevel), Some(RoomLevel),
        Some(OverheadHeight), Some(OverheadSpacing), Some(FarDistance), Some(FarSpacing),
    ]),
    ("Output", "Room", &[
        Some(RoomType), Some(RoomLevel), Some(RoomDecay), GAP,
        Some(InstrumentX), Some(InstrumentY), Some(FarDistance), Some(FarSpacing),
    ]),
];

/// Automatable parameters that are on no page.
fn others() -> impl Iterator<Item = ParamId> {
    let is_listed = |id: &ParamId| PAGES.iter().any(|(.., ids)| ids.contains(&Some(*id)));
    ParamId::ALL.iter().copied().filter(move |id| id.spec().automatable && !is_listed(id))
}

impl HostParams {
    /// Adds all pages.
    pub fn add_remote_controls(&self, host: &mut impl RemoteControlsContext) {
        for section in PAGES.chunk_by(|page, next| page.0 == next.0) {
            host.add_section(section[0].0, |pages| {
                for &(_, name, ids) in section {
                    pages.add_page(name, |page| ids.iter().for_each(|&id| self.add_remote_control(id, page)));
                }
            });
        }
        let others: Vec<_> = others().map(Some).collect();
        if !others.is_empty() {
            host.add_section("More", |pages| {
                for (number, ids) in (1..).zip(others.chunks(PAGE_SIZE)) {
                    pages.add_page(format!("More {number}"), |page| {
                        ids.iter().for_each(|&id| self.add_remote_control(id, page));
                    });
                }
            });
        }
    }

    fn add_remote_control(&self, id: Option<ParamId>, page: &mut impl RemoteControlsPage) {
        match id.map(|id| self.param(id)) {
            Some(Parameter::Float(param)) => page.add_param(param),
            Some(Parameter::Int(param)) => page.add_param(param),
            None => page.add_spacer(),
        }
    }
}
