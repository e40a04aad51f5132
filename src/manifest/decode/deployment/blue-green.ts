// The blue/green object (`docs/manifest.md`, "blue_green").
import { resolve } from 'node:path';
import { OWN_VARIABLES } from '../../../streams/env/service-environment.ts';
import { LISTEN_VARIABLES } from '../../check/sockets.ts';
import { refuseUnsafePlace } from '../../check/safe-place.ts';
import { complain, spotBelow } from '../shapes/decoder.ts';
import { defaulted, optional, required } from '../shapes/field.ts';
import { healthCheck } from './health-check.ts';
import { list } from '../shapes/list.ts';
import { located } from '../shapes/located.ts';
import { variableName } from '../scalars/names.ts';
import { object } from '../shapes/object.ts';
import { filled, text } from '../scalars/text.ts';

/** Variables that the supervisor sets itself, over the slot value. */
const TAKEN: readonly string[] = [...OWN_VARIABLES, ...LISTEN_VARIABLES];

export const blueGreen = object({
  name: 'blue_green',
  fields: {
    env_var: defaulted(variableName, 'PORT', 'Environment variable that receives the slot value.'),
    slots: required(
      list(filled, { min: 2, max: 2, count: 'exactly 2 entries' }),
      'Exactly two slot values to alternate between.',
    ),
    switch_command: required(
      text,
      'Command that switches traffic to the candidate slot, `{candidate_slot}`.',
    ),
    candidate_health_check: optional(
      healthCheck,
      'Verification of the candidate; `{slot}` may stand in `url` and `command`.',
    ),
    switch_verify: optional(healthCheck, 'Verification after the switch.'),
    state_path: optional(
      located(text),
      "File that keeps the active slot, relative to the manifest's directory.",
    ),
  },
  check: ({ slots, env_var: name, state_path: kept }, spot, context) => {
    if (kept !== undefined) refuseUnsafePlace(resolve(context.directory, kept.value), kept.spot, context);
    if (TAKEN.includes(name)) {
      const message = `${name} is set by the supervisor itself: the slot needs a variable of its own`;
      complain(spotBelow(spot, 'env_var'), context, { code: 'ERR0213', message });
    }
    if (slots[0] !== slots[1]) return;
    const message = 'the two slots are the same; a candidate needs one of its own';
    complain(spotBelow(spot, 'slots'), context, { code: 'ERR0213', message });
  },
});
