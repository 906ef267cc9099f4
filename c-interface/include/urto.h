/* Urto: percussion by contact physics. Presets, notes and parameters in, samples out.
 *
 * A patch is a sound, an engine plays it, a body is its picture. Objects belong to the caller, who frees them. Different objects may be used by
 * different threads at the same time, one object by one thread. Only urto_engine_render and the functions that send notes, controllers and
 * parameters are for audio threads: they neither allocate, lock nor wait. All others may take 100 ms and more.
 *
 * Functions that fail return NULL or -1, and NaN for values; urto_error then returns a sentence for the user. A fault of the library ends the
 * program. Texts are UTF-8.
 *
 * Link with liburto.so, urto.dll or liburto.a, which `cargo xtask c` builds. Licence: MIT or Apache-2.0. */
#ifndef URTO_H
#define URTO_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Version of this interface. Functions are only added within a version. */
#define URTO_VERSION 1
uint32_t urto_version(void);

/* The last error of the calling thread. Like every function that writes a text: `buffer` of `size` bytes gets the text with a NUL at the end, cut
 * if there is no room. Returns the length of the whole text in bytes without NUL, or -1. A null buffer only asks for the length. */
int32_t urto_error(char *buffer, uint32_t size);

/* Memory for callers outside of WebAssembly, aligned to 16 bytes; NULL if there is none left. Programs in C have no use for it. */
void *urto_alloc(uint32_t bytes);
void urto_dealloc(void *memory, uint32_t bytes);


/* ---- Parameters ----
 * Values are in the unit of the parameter. Numbers of parameters can change between versions of Urto, ids do not. */

enum { URTO_PARAM_ID, URTO_PARAM_NAME, URTO_PARAM_GROUP, URTO_PARAM_UNIT, URTO_PARAM_HINT };

typedef struct urto_range {
    double min, max, default_value;
    uint32_t choices;    /* number of choices; 0 for a parameter without choices */
    uint32_t needs_body; /* 1: a change takes effect after urto_engine_prepare */
} urto_range;

uint32_t urto_param_count(void);
/* The number of the parameter `id`, for example "hammer_mass"; -1 if there is none. */
int32_t urto_param_find(const char *id);
/* Its range. Returns 0, or -1 if there is no such number. */
int32_t urto_param_range(uint32_t param, urto_range *range);
/* One of its texts, URTO_PARAM_ID to URTO_PARAM_HINT. Returns as urto_error. */
int32_t urto_param_text(uint32_t param, uint32_t what, char *buffer, uint32_t size);
/* A value as text with its unit, for example "24.0 g"; for choices the name. Returns as urto_error. */
int32_t urto_param_show(uint32_t param, double value, char *buffer, uint32_t size);
/* The position of a value on the scale of its knob, 0 to 1, and the value of a position. Values outside of the range are clamped. */
double urto_param_to_normalized(uint32_t param, double value);
double urto_param_from_normalized(uint32_t param, double normalized);


/* ---- Patches ---- */

typedef struct urto_patch urto_patch;

enum { URTO_PATCH_NAME, URTO_PATCH_FAMILY, URTO_PATCH_TAGS, URTO_PATCH_DESCRIPTION, URTO_PATCH_AUTHOR, URTO_PATCH_TOML };

/* Number of factory presets, in the order of their MIDI program numbers. */
uint32_t urto_preset_count(void);
/* The number of the preset `name`, for example "Rosewood Marimba"; -1 if there is none. */
int32_t urto_preset_find(const char *name);
/* A copy of preset number `preset`; NULL if there is none. */
urto_patch *urto_patch_preset(uint32_t preset);
/* A patch from the text of a preset file; NULL with a sentence that names line, key and remedy. */
urto_patch *urto_patch_from_toml(const char *text);
void urto_patch_free(urto_patch *patch);
/* One of its texts, URTO_PATCH_NAME to URTO_PATCH_TOML. Returns as urto_error. */
int32_t urto_patch_text(const urto_patch *patch, uint32_t what, char *buffer, uint32_t size);
/* Name of macro `number`, 0 to 7, whose value is the parameter macro_1 to macro_8. Returns as urto_error; -1 if the patch has no such macro. */
int32_t urto_patch_macro(const urto_patch *patch, uint32_t number, char *buffer, uint32_t size);
/* Number of zones; 0 for a patch that is not a kit. */
uint32_t urto_patch_zone_count(const urto_patch *patch);
/* Name of the zone that plays `key`. Returns as urto_error; -1 if no zone has the key. */
int32_t urto_patch_zone(const urto_patch *patch, uint32_t key, char *buffer, uint32_t size);
/* A parameter; NaN if there is no such number. Values are clamped to the range. */
double urto_patch_get(const urto_patch *patch, uint32_t param);
int32_t urto_patch_set(urto_patch *patch, uint32_t param, double value);


/* ---- Engines ---- */

typedef struct urto_engine urto_engine;

/* A silent engine that plays `patch` at `sample_rate`, 4000 to 1000000 Hz, with at most `voices` voices, 1 to 256; 0 is the standard, 64. The patch
 * is copied. NULL on errors. */
urto_engine *urto_engine_new(const urto_patch *patch, double sample_rate, uint32_t voices);
void urto_engine_free(urto_engine *engine);
/* Silences everything; the next output is that of a new engine with the same parameters. */
int32_t urto_engine_reset(urto_engine *engine);

/* Events act on the next rendered sample. `channel` is 0 to 15, `key` 0 to 127 (69 is A4), `velocity` above 0 to 1, where 1 is MIDI 127.
 * The command line and the plugin divide MIDI velocities by 127 in single precision: (float)velocity / 127.0f. */
int32_t urto_engine_note_on(urto_engine *engine, uint32_t channel, uint32_t key, double velocity);
/* `velocity` is the release velocity; 0.5 is neutral. */
int32_t urto_engine_note_off(urto_engine *engine, uint32_t channel, uint32_t key, double velocity);
/* A note on channel 0 that strikes at a place of its own, each 0 to 1: along the body, or from the centre to the edge; and across it, or the angle in
 * turns. */
int32_t urto_engine_strike(urto_engine *engine, uint32_t key, double velocity, double along, double across);
/* Damps all bodies at once. */
int32_t urto_engine_choke(urto_engine *engine);
/* Controller `number`, 0 to 127, with a value of 0 to 1; bend, -1 to 1 of the bend range; pressure of the channel, 0 to 1. */
int32_t urto_engine_controller(urto_engine *engine, uint32_t channel, uint32_t number, double value);
int32_t urto_engine_bend(urto_engine *engine, uint32_t channel, double value);
int32_t urto_engine_pressure(urto_engine *engine, uint32_t channel, double value);
/* A parameter, clamped to its range; urto_engine_get is its value before modulation. */
int32_t urto_engine_set(urto_engine *engine, uint32_t param, double value);
double urto_engine_get(urto_engine *engine, uint32_t param);
/* Prepares the body that changed parameters ask for; later strikes meet it. Returns 1, or 0 if none was needed. Allocates: not for audio threads. */
int32_t urto_engine_prepare(urto_engine *engine);

/* Renders `frames` samples over the contents of both buffers; full scale is 1. The size of blocks does not change the samples. */
int32_t urto_engine_render(urto_engine *engine, float *left, float *right, uint32_t frames);


/* ---- Readings ---- */

typedef struct urto_hit_point {
    float time;        /* since the contact began [s] */
    float compression; /* [m] */
    float velocity;    /* of the compression [m/s] */
    float force;       /* [N] */
} urto_hit_point;

/* One finished contact between a hammer and a body. */
typedef struct urto_hit {
    uint32_t number;            /* counts contacts */
    uint32_t key;               /* of the body */
    double velocity_in;         /* compression velocity at the beginning [m/s] */
    double velocity_out;        /* at the end [m/s], below 0 */
    double mass;                /* of the hammer [kg] */
    double duration;            /* [s] */
    double peak_force;          /* [N] */
    double max_compression;     /* [m] */
    double energy_in;           /* of the hammer at the beginning [J] */
    double energy_hammer;       /* of the hammer at the end [J] */
    double energy_body;         /* gained by the body [J] */
    double energy_contact_loss; /* lost in the contact [J] */
    double energy_decay;        /* lost to the damping of the body meanwhile [J] */
    uint32_t substeps;          /* that the contact took */
    uint32_t count;             /* of the points, 2 to 128 */
    urto_hit_point points[128];
} urto_hit;

typedef struct urto_mode {
    float displacement; /* [m kg^1/2] */
    float velocity;     /* [m kg^1/2/s] */
    float omega;        /* [rad/s]; 0 where there is no mode */
} urto_mode;

/* The lowest partials of the body that was struck last. */
typedef struct urto_motion {
    uint32_t key;
    uint32_t stroke; /* changes with every strike */
    uint32_t count;  /* of the modes */
    urto_mode modes[12];
    urto_mode lower[12]; /* of the lower plate of a hi-hat */
} urto_motion;

typedef struct urto_meters {
    float peak_left, peak_right; /* before the limiter, since the last call */
    float lowest_gain;           /* of the limiter, since the last call; 1: no reduction */
    uint32_t voices;             /* that sound */
    uint32_t asleep;             /* 1 if nothing sounds */
} urto_meters;

/* The last contact since the last call: 1, or 0 if there was none. The motion of the body struck last: 1, or 0 if nothing sounds. */
int32_t urto_engine_hit(urto_engine *engine, urto_hit *hit);
int32_t urto_engine_motion(urto_engine *engine, urto_motion *motion);
int32_t urto_engine_meters(urto_engine *engine, urto_meters *meters);
/* Frequency of `key` in the tuning of the patch [Hz]; 0 for a key without a pitch. */
double urto_engine_key_frequency(urto_engine *engine, uint32_t key);


/* ---- Drawn bodies ----
 * World coordinates: x along the body from -1 to 1, y depth, z up. Lists belong to the body; `count` gets the number of their values. */

typedef struct urto_body urto_body;

typedef struct urto_view {
    float yaw, pitch; /* of the camera [degrees] */
    float floor;      /* height of the floor */
    uint32_t form;    /* 0 bar, 1 with an arch, 2 disc, 3 drum head, 4 two heads, 5 two cymbals, 6 plate, 7 string, 8 course, 9 bell, 10 bowl, 11 glass,
                         12 tube */
    uint32_t support; /* of a bar: 0 on cords, 1 clamped, 2 on edges, 3 clamped at the left */
    uint32_t is_line; /* 1: places are on a line */
    int32_t ghost;    /* edge that is drawn several times while it moves; -1: none */
} urto_view;

/* The body that `key` strikes; NULL on errors. */
urto_body *urto_body_new(const urto_patch *patch, uint32_t key);
void urto_body_free(urto_body *body);
int32_t urto_body_view(const urto_body *body, urto_view *view);
/* 22 values a point: position at rest (3), direction in which it moves (3), place along and across the body, brightness, 1 on the lower of two plates,
 * and the shape of 12 modes [kg^-1/2]: the sum of shape times displacement of urto_motion is the displacement [m]. */
const float *urto_body_points(const urto_body *body, uint32_t *count);
/* 5 values a grid of points: first point, rows, columns, change of brightness by slope along columns and rows, NaN without. */
const float *urto_body_grids(const urto_body *body, uint32_t *count);
/* 3 values an edge: number of points, width [px], opacity; and the points of all edges after each other. */
const float *urto_body_edges(const urto_body *body, uint32_t *count);
const uint32_t *urto_body_indices(const urto_body *body, uint32_t *count);

#ifdef __cplusplus
}
#endif

#endif
