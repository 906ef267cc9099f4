//! Remote control pages of a CLAP host.

use std::collections::BTreeSet;

use urto_engine::params::ParamId;
use urto_engine::patch::MACRO_PARAMS;

use crate::support::clap_extensions::Page;
use crate::support::clap_host::Clap;

/// What a player reaches for before anything else: how hard, how heavy, where, what, how high, how long, how loud.
const FIRST: [ParamId; 7] = [
    ParamId::Hardness,
    ParamId::HammerMass,
    ParamId::StrikePosition,
    ParamId::Body,
    ParamId::Tune,
    ParamId::Decay,
    ParamId::Level,
];

/// The params of a page by the host's numbers for them; a number that is no parameter fails.
fn params(clap: &Clap, page: &Page) -> Vec<ParamId> {
    let known = |number: &u32| {
        let place = clap.listed().iter().position(|listed| listed.id == *number);
        ParamId::ALL[place.unwrap_or_else(|| panic!("{}: {number} is no parameter", page.name))]
    };
    page.params.iter().flatten().map(known).collect()
}

#[test]
fn pages_have_unique_names_and_ids_and_list_automatable_parameters_once() {
    let mut clap = Clap::new();
    let pages = clap.pages();
    let (mut names, mut ids) = (BTreeSet::new(), BTreeSet::new());
    for page in &pages {
        assert!(!page.name.is_empty() && !page.section.is_empty() && !page.is_for_preset);
        assert!(names.insert(page.name.clone()) && ids.insert(page.id), "{} stands twice", page.name);
        let params = params(&clap, page);
        assert!(params.len() >= 4 || page.section == "More", "{} holds {}", page.name, params.len());
        assert_eq!(params.iter().collect::<BTreeSet<_>>().len(), params.len(), "{} holds a param twice", page.name);
        assert!(params.iter().all(|id| id.spec().automatable), "{}: a host cannot turn all of it", page.name);
    }
    let sections: Vec<_> = pages.chunk_by(|one, next| one.section == next.section).map(|of| &of[0].section).collect();
    assert_eq!(sections.iter().collect::<BTreeSet<_>>().len(), sections.len(), "a section is torn apart: {sections:?}");
}

#[test]
fn the_first_page_has_the_macros_and_the_second_the_main_parameters() {
    let mut clap = Clap::new();
    let pages = clap.pages();
    let [macros, main] = [0, 1].map(|page| params(&clap, &pages[page]));
    assert_eq!(macros, MACRO_PARAMS);
    assert_eq!(main.len(), 8);
    for id in FIRST {
        assert!(main.contains(&id), "{} is not on the second page", id.spec().id);
    }
}

#[test]
fn every_automatable_parameter_is_on_a_page() {
    let mut clap = Clap::new();
    let on_pages: BTreeSet<_> = clap.pages().iter().flat_map(|page| params(&clap, page)).collect();
    for id in ParamId::ALL.iter().filter(|id| id.spec().automatable) {
        assert!(on_pages.contains(id), "{} is on no page", id.spec().id);
    }
}
