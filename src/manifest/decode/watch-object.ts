// Decodes `watch` of a service (`docs/manifest.md`, "watch").
import { positiveDuration } from './scalars/durations.ts';
import { refused, scalar } from './scalars/scalar.ts';
import { restartOrSignal } from './scalars/system-values.ts';
import { readText, text } from './scalars/text.ts';
import { list } from './shapes/composite.ts';
import { defaulted, optional, required } from './shapes/fields.ts';
import { object } from './shapes/object.ts';

/** A path without `*` and `?`: as the name of a file it would be waited for in vain. */
const plainPath = scalar({
  label: 'path',
  schema: { type: 'string', pattern: '^[^*?]+$' },
  read: (given) =>
    /[*?]/.test(given.text)
      ? refused('is a pattern', 'name the directory, and list what does not count in ignore')
      : readText(given),
});

export const watch = object({
  name: 'watch',
  hint: 'paths has what is watched: watch: { paths: [src] }',
  fields: {
    paths: required(
      list(plainPath, { min: 1 }),
      "Files and directories, relative to the manifest's directory. One that is missing is waited for.",
    ),
    ignore: optional(
      list(text, { min: 1 }),
      'Names (`dist`, `*.log`) and paths (`web/cache`) that do not count.',
      '`.git`, `node_modules` and temporary files of editors are ignored in any case',
    ),
    debounce: defaulted(positiveDuration, '300ms', 'How long the files must rest before anything is done.'),
    action: defaulted(
      restartOrSignal,
      'restart',
      '`restart`: a new run by the strategy of the service. Or a signal to the main process, such as `SIGHUP`.',
    ),
  },
});
