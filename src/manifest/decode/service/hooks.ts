// The hooks object (`docs/manifest.md`, "hooks"): outcome commands (Form A) and lifecycle stages (Form B),
// also together.
import { positiveDuration } from '../scalars/duration.ts';
import { optional, required } from '../shapes/field.ts';
import { object } from '../shapes/object.ts';
import { text } from '../scalars/text.ts';

export const hook = object({
  name: 'hook',
  fields: {
    command: required(text, 'Run through `sh -c`.'),
    timeout: optional(positiveDuration, 'Maximum execution time.', 'no limit'),
  },
});

export const stage = object({
  name: 'stage',
  fields: {
    success: optional(hook, 'Runs when the stage succeeds.'),
    error: optional(hook, 'Runs when the stage fails.'),
  },
});

export const hooks = object({
  name: 'hooks',
  fields: {
    onstart: optional(hook, 'Runs after readiness, or after a one-shot completed.'),
    onerr: optional(hook, 'Runs after an unsuccessful exit.'),
    on_start: optional(stage, 'Hooks of the attempt to start.'),
    on_stop: optional(stage, 'Hooks of an exit, wanted or not.'),
    on_restart: optional(stage, 'Hooks of an automatic restart after a crash.'),
  },
});
