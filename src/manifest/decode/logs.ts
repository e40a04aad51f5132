// The logs object (`docs/manifest.md`, "logs") at the root, in a project and in a service; the innermost
// value of each field applies.
import { optional } from './shapes/field.ts';
import { whole } from './scalars/number.ts';
import { object } from './shapes/object.ts';
import { size } from './scalars/size.ts';
import { oneOf } from './scalars/text.ts';

export const logs = object({
  name: 'logs',
  fields: {
    sink: optional(
      oneOf('file', 'none'),
      '`file` captures output into managed log files; `none` discards it, but for the last lines of the present run, which are kept in memory as evidence.',
      '`file`',
    ),
    max_bytes: optional(
      size,
      'Size of the active log file before rotation; `0` never rotates.',
      '`logs/max_bytes` of the settings',
    ),
    max_files: optional(
      whole({ min: 0, max: 10_000 }),
      'Rotated files kept per active log.',
      '`logs/max_files` of the settings',
    ),
  },
});
