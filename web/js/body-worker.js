// A thread beside the page: lists the presets, and prepares values and bodies of presets.

import { UrtoModule } from './urto-module.js';

let urto;

/** Runs `read` with a patch of a preset with settings. */
function withPatch({ preset, settings }, read) {
  const patch = urto.patch(preset, settings);
  const answer = read(patch);
  urto.calls.urto_patch_free(patch);
  return answer;
}

/** What each request does; the answer has the number of its request. */
const WORK = {
  start({ compiled }) {
    urto = new UrtoModule(compiled);
    return Array.from({ length: urto.calls.urto_preset_count() }, (_, preset) => urto.presetInfo(preset));
  },
  values: (sound) => withPatch(sound, (patch) => urto.values(patch)),
  body: (sound) => withPatch(sound, (patch) => urto.body(patch, sound.key)),
};

onmessage = ({ data }) => {
  try {
    postMessage({ request: data.request, answer: WORK[data.work](data) });
  } catch (error) {
    postMessage({ request: data.request, failure: String(error?.message ?? error) });
  }
};
