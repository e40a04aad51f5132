// The spawn object: dynamic child processes (`docs/manifest.md`, "spawn").
import { defaulted, NESTED } from '../shapes/field.ts';
import { object } from '../shapes/object.ts';
import { oneOf } from '../scalars/text.ts';
import { spawnLimits } from './nested/spawn-limits.ts';

export const spawn = object({
  name: 'spawn',
  fields: {
    mode: defaulted(
      oneOf('static', 'dynamic'),
      'static',
      '`static`: forks are only observed. `dynamic`: the service may ask the supervisor for children.',
    ),
    limits: defaulted(spawnLimits, NESTED, 'Limits of dynamic children.'),
  },
});
