// The env object (`docs/manifest.md`, "env") at the root, in a project and in a service. Its variables may
// refer to one another in any order, so `env-scope.ts` expands them after decoding.
import { optional } from '../shapes/field.ts';
import { list } from '../shapes/list.ts';
import { located } from '../shapes/located.ts';
import { VARIABLE, variableName } from '../scalars/names.ts';
import { flag } from '../scalars/number.ts';
import { object } from '../shapes/object.ts';
import { record } from '../shapes/record.ts';
import { text, verbatim } from '../scalars/text.ts';

export const env = object({
  name: 'env',
  hint: 'variables stand under vars: env: { vars: { NAME: value } }',
  fields: {
    vars: optional(record(VARIABLE, located(verbatim)), 'Inline variables; they override those of `file`.'),
    file: optional(text, "Path to an env file, relative to the manifest's directory."),
    inherit_env: optional(
      flag,
      "A privilege-dropped service inherits the supervisor's environment instead of starting clean.",
      '`false`',
    ),
    clean: optional(
      flag,
      "Starts from an empty environment: nothing of the supervisor's own is passed on.",
      '`false`',
    ),
    clear_session_vars: optional(
      flag,
      'Strips variables of a login session, such as `SSH_*` and `DISPLAY`.',
      '`true`',
    ),
    strip: optional(
      list(variableName),
      'More variable names to remove: those of the supervisor and of outer levels, not what the same level sets.',
    ),
  },
});
