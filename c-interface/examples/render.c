/* Renders a preset: render PRESET SECONDS OUT.f32 [ID=VALUE]... KEY:VELOCITY@SECONDS...
 * Writes stereo samples of 32-bit floating point at 48 kHz, and prints every contact.
 * Example: render "Rosewood Marimba" 2 out.f32 position=0.3 60:100@0 64:80@0.5 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "urto.h"

enum { RATE = 48000, MAX_NOTES = 256 };

typedef struct { unsigned key; double velocity, start; } note;

static int fail(void) {
    char sentence[512];
    urto_error(sentence, sizeof sentence);
    fprintf(stderr, "error: %s\n", sentence);
    return 2;
}

static void print_hit(urto_engine *engine) {
    urto_hit hit;
    if (urto_engine_hit(engine, &hit) == 1) {
        printf("hit key=%u velocity=%.9g peak=%.9g duration=%.9g\n", hit.key, hit.velocity_in, hit.peak_force, hit.duration);
    }
}

int main(int argc, char **argv) {
    note notes[MAX_NOTES];
    int count = 0, next = 0;
    if (argc < 5) return fprintf(stderr, "usage: %s PRESET SECONDS OUT.f32 [ID=VALUE]... KEY:VELOCITY@SECONDS...\n", argv[0]), 2;
    int preset = urto_preset_find(argv[1]);
    urto_patch *patch = preset < 0 ? NULL : urto_patch_preset((uint32_t)preset);
    if (!patch) return fail();
    for (int i = 4; i < argc && count < MAX_NOTES; i++) {
        char *equals = strchr(argv[i], '=');
        if (equals) {
            *equals = 0;
            int param = urto_param_find(argv[i]);
            if (param < 0 || urto_patch_set(patch, (uint32_t)param, atof(equals + 1))) return fail();
        } else if (sscanf(argv[i], "%u:%lf@%lf", &notes[count].key, &notes[count].velocity, &notes[count].start) == 3) {
            count++;
        } else return fprintf(stderr, "error: \"%s\" is no note; give KEY:VELOCITY@SECONDS\n", argv[i]), 2;
    }
    urto_engine *engine = urto_engine_new(patch, RATE, 0);
    FILE *out = fopen(argv[3], "wb");
    if (!engine) return fail();
    if (!out) return perror(argv[3]), 2;
    long frames = (long)(atof(argv[2]) * RATE + 0.5);
    for (long frame = 0; frame < frames; frame++) {
        for (; next < count && (long)(notes[next].start * RATE + 0.5) <= frame; next++) {
            if (urto_engine_note_on(engine, 0, notes[next].key, (float)notes[next].velocity / 127.0f)) return fail();
        }
        float sample[2];
        urto_engine_render(engine, &sample[0], &sample[1], 1);
        print_hit(engine);
        fwrite(sample, sizeof sample, 1, out);
    }
    urto_engine_free(engine);
    urto_patch_free(patch);
    return fclose(out) == 0 ? 0 : 2;
}
