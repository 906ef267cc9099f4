//! The sources of the measurements, and how their numbers were had.

/// How the number of a source was had.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Reading {
    /// Read in the source itself, or in its abstract.
    Original,
    /// Read in another text that quotes the source.
    Quoted,
    /// From memory, not looked up.
    Memory,
}

impl Reading {
    /// The word of the tables.
    pub fn word(self) -> &'static str {
        match self {
            Self::Original => "read",
            Self::Quoted => "quoted",
            Self::Memory => "memory",
        }
    }
}

/// A source.
#[derive(Debug)]
pub struct Source {
    /// Author, title, year.
    pub title: &'static str,
    /// How its numbers were had.
    pub reading: Reading,
    /// Where they were read, and what is uncertain about them.
    pub remark: &'static str,
}

macro_rules! sources {
    ($($name:ident: $reading:ident, $title:literal, $remark:literal;)*) => {
        $(pub const $name: Source = Source { title: $title, reading: Reading::$reading, remark: $remark };)*
        /// All sources in the order of their numbers.
        pub const ALL: &[Source] = &[$($name),*];
    };
}

sources! {
    MCLASKEY: Original, "G. C. McLaskey, \"Ball impact and sensor calibration project\", web page of Cornell University",
        "\"about 5 microseconds\"; the speed is not given, 1 m/s is assumed";
    FALCON: Memory, "E. Falcon, C. Laroche, S. Fauve, C. Coste, \"Behavior of one inelastic ball bouncing repeatedly off the ground\", \
        Eur. Phys. J. B 3, 1998", "a bead of tungsten carbide on steel";
    TUBES: Original, "\"Amateur league\", web page mi.doh.so, 22 April 2020",
        "two of thirteen tubes; 6 x 1 mm is the common size with their mass of 42.3 g/m";
    CHIMES: Original, "\"Giant, ominous wind chimes\", Milwaukee Makerspace, 2011", "\"rings for over a minute\"";
    ROSEWOOD: Original, "\"A bit more math\", supermediocre.org, 11 February 2016",
        "Young's modulus and density are those of the first bar, the frequency is that of the second";
    BOWER: Original, "J. Bower, \"Modal frequency ratios\", appendix of the Csound manual",
        "collected by him from other sources, which he does not name; sizes of bars and glass are not given";
    GLOCKENSPIEL: Memory, "T. D. Rossing, \"Acoustics of percussion instruments\", Phys. Teacher 14, 1976, in Fletcher and Rossing",
        "a bar of C6, size of another bar of this note";
    LAFAVRE: Original, "J. La Favre, \"First torsional mode in a 5-octave marimba\", lafavre.us",
        "his own bar; the size is that of the bar of Bork and others (1999), whose abstract was quoted elsewhere";
    KALIMBA: Quoted, "kalimbamagic.com, measurements of tines", "a tine over a bridge, with a free end behind it";
    TIMPANI: Quoted, "T. D. Rossing, \"Acoustics of timpani\", Percussionist 19, 1982",
        "quoted by R. K. Jones, wtt.pauken.org: a head of 26 inches without a kettle";
    KETTLE: Memory, "N. H. Fletcher, T. D. Rossing, \"The Physics of Musical Instruments\", 1998, chapter 18",
        "the ratios with a kettle; its volume of 140 l is assumed";
    SNARE: Memory, "T. D. Rossing, I. Bork, H. Zhao, D. O. Fystrom, \"Acoustics of snare drums\", JASA 92, 1992", "with the tensions of both heads";
    GRAN_CASSA: Quoted, "\"Synth secrets\", Sound on Sound, January 2002", "which quotes an academic measurement without its name; 82 cm is assumed";
    FULL_BLOW: Memory, "H. Fletcher, I. G. Bassett, \"Some experiments with the bass drum\", JASA 64, 1978",
        "a deflection of 6 mm raises the pitch by about a tenth";
    WAGNER: Original, "A. Wagner, \"Analysis of drumbeats\", thesis, KTH Stockholm, 2006", "abstract: \"3-6 ms\"; drum and speeds are not in it";
    DRUMMING: Quoted, "Study of drumming, conference Acoustics '08, Paris", "authors and drum unknown to us; the text that quotes it calls it unaudited";
    PULSES: Original, "A. Chaigne, \"Hammers and strings\", web page on historic pianos",
        "\"from 4-5 ms in the bass range (C1) to less than one ms in the upper treble (C7)\"; hammers and strings are those of Woodhouse, \
        Euphonics 12.2.1, quoted elsewhere, felt by Hall and Askenfelt; speed 1.5 m/s is assumed";
    KTH: Memory, "A. Askenfelt, E. Jansson, \"From touch to string vibrations\", JASA 93, 1993", "C4, mezzo-forte; the same hammers and strings";
    IES: Original, "\"Experimental results of the IES modal plate\", J. IES 32, 1989", "abstract; acrylic glass with 4.9 to 5.1 GPa at these frequencies, from memory";
    LAMBOURG: Quoted, "A. Chaigne, C. Lambourg, \"Time-domain simulation of damped impacted plates\", JASA 109, 2001",
        "glass of 2 mm above its coincidence";
}

impl Source {
    /// Its number in the table.
    pub fn number(&self) -> usize {
        1 + ALL.iter().position(|source| source.title == self.title).expect("every source is in the table")
    }
}
