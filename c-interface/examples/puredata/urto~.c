/* [urto~ PRESET]: plays a preset of Urto in Pure Data. Two signal outlets.
 *
 * Messages: a list of key and velocity (0 to 127; velocity 0 ends the note), as [notein] and [pack] send it; `set ID VALUE` sets a parameter;
 * `preset NAME` changes the sound; `choke` damps everything. Events act at the beginning of a block of 64 samples. */
#include <m_pd.h>
#include <stdio.h>
#include <string.h>
#include "urto.h"

static t_class *urto_class;

typedef struct {
    t_object object;
    t_outlet *right;
    urto_engine *engine;
    char preset[128];
    double rate; /* of the engine [Hz] */
} t_urto;

static void complain(t_urto *x) {
    char sentence[512];
    urto_error(sentence, sizeof sentence);
    pd_error(x, "urto~: %s", sentence);
}

/* Replaces the engine by one of the preset at the rate of Pure Data. */
static void build(t_urto *x) {
    int number = urto_preset_find(x->preset);
    urto_patch *patch = number < 0 ? NULL : urto_patch_preset((uint32_t)number);
    x->rate = sys_getsr() > 0 ? sys_getsr() : 48000;
    urto_engine *engine = patch ? urto_engine_new(patch, x->rate, 0) : NULL;
    urto_patch_free(patch);
    if (!engine) {
        complain(x);
        return;
    }
    urto_engine_free(x->engine);
    x->engine = engine;
}

static void preset(t_urto *x, t_symbol *selector, int argc, t_atom *argv) {
    (void)selector;
    char name[sizeof x->preset] = "";
    for (int i = 0; i < argc; i++) {
        char word[128];
        atom_string(&argv[i], word, sizeof word);
        if (i > 0) strncat(name, " ", sizeof name - strlen(name) - 1);
        strncat(name, word, sizeof name - strlen(name) - 1);
    }
    strcpy(x->preset, *name ? name : "Rosewood Marimba");
    build(x);
}

static void list(t_urto *x, t_symbol *selector, int argc, t_atom *argv) {
    (void)selector;
    int key = (int)atom_getfloatarg(0, argc, argv), velocity = (int)atom_getfloatarg(1, argc, argv);
    if (!x->engine) return;
    if (key < 0 || key > 127 || velocity < 0 || velocity > 127) {
        pd_error(x, "urto~: key %d, velocity %d: give 0 to 127", key, velocity);
        return;
    }
    int status = velocity > 0 ? urto_engine_note_on(x->engine, 0, (uint32_t)key, (float)velocity / 127.0f)
                              : urto_engine_note_off(x->engine, 0, (uint32_t)key, 0.5);
    if (status) complain(x);
}

static void set(t_urto *x, t_symbol *id, t_floatarg value) {
    int param = urto_param_find(id->s_name);
    if (param < 0) complain(x);
    else if (x->engine && (urto_engine_set(x->engine, (uint32_t)param, value) || urto_engine_prepare(x->engine) < 0)) complain(x);
}

static void choke(t_urto *x) {
    if (x->engine) urto_engine_choke(x->engine);
}

static t_int *perform(t_int *w) {
    t_urto *x = (t_urto *)w[1];
    t_sample *left = (t_sample *)w[2], *right = (t_sample *)w[3];
    int frames = (int)w[4];
    if (x->engine) {
        urto_engine_render(x->engine, left, right, (uint32_t)frames);
    } else {
        memset(left, 0, sizeof *left * (size_t)frames);
        memset(right, 0, sizeof *right * (size_t)frames);
    }
    return w + 5;
}

static void dsp(t_urto *x, t_signal **signals) {
    if (signals[0]->s_sr != x->rate) build(x);
    dsp_add(perform, 4, x, signals[0]->s_vec, signals[1]->s_vec, (t_int)signals[0]->s_n);
}

static void *create(t_symbol *selector, int argc, t_atom *argv) {
    t_urto *x = (t_urto *)pd_new(urto_class);
    x->engine = NULL;
    outlet_new(&x->object, &s_signal);
    x->right = outlet_new(&x->object, &s_signal);
    preset(x, selector, argc, argv);
    return x;
}

static void destroy(t_urto *x) {
    urto_engine_free(x->engine);
}

void urto_tilde_setup(void) {
    urto_class = class_new(gensym("urto~"), (t_newmethod)create, (t_method)destroy, sizeof(t_urto), CLASS_DEFAULT, A_GIMME, 0);
    class_addmethod(urto_class, (t_method)dsp, gensym("dsp"), A_CANT, 0);
    class_addmethod(urto_class, (t_method)preset, gensym("preset"), A_GIMME, 0);
    class_addmethod(urto_class, (t_method)set, gensym("set"), A_SYMBOL, A_FLOAT, 0);
    class_addmethod(urto_class, (t_method)choke, gensym("choke"), 0);
    class_addlist(urto_class, (t_method)list);
}
