// Decodes `watch` of a service (`docs/manifest.md`, "watch").
import { durationFrom } from './scalars/durations.ts';
import { refused, scalar } from './scalars/scalar.ts';
import { restartOrSignal } from './scalars/system-values.ts';
import { readText } from './scalars/text.ts';
import { list } from './shapes/composite.ts';
import { defaulted, optional, required } from './shapes/fields.ts';
import { object } from './shapes/object.ts';
import { ms } from '../../streams/domain/time.ts';

/** Decodes a path without `*` and `?`. A pattern would be taken as the name of a file that never appears. */
const plainPath = scalar({
  label: 'path',
  schema: { type: 'string', pattern: '^[^*?]+$' },
  read: (given) =>
    /[*?]/.test(given.text)
      ? refused('is a pattern', 'name the directory, and list what does not count in ignore')
      : readText(given),
});

/** Decodes a name to ignore. Refuses patterns of other tools, which would be taken as the name of a file. */
const ignoredFile = scalar({
  label: 'string',
  schema: { type: 'string', pattern: '^(?!!)(?!.*\\{[^{},]*,[^{}]*\\}).*$' },
  read: (given) =>
    /^!|\{[^{},]*,[^{}]*\}/.test(given.text)
      ? refused('has `!` or a list in braces', 'write one entry for each name; `*` and `?` are understood')
      : readText(given),
});

/**
 * The shortest debounce. Up to two changes are reported in each period of this length, and each report costs
 * a step and a write.
 */
const SHORTEST_DEBOUNCE = ms(50);

export const watch = object({
  name: 'watch',
  hint: 'paths has what is watched: watch: { paths: [src] }',
  fields: {
    paths: required(
      list(plainPath, { min: 1 }),
      "Files and directories, relative to the manifest's directory. If a path is missing, `sup` waits for it.",
    ),
    ignore: optional(
      list(ignoredFile, { min: 1 }),
      'Names (`dist`, `*.log`) and paths (`web/cache`) that are not watched.',
      '`.git`, `node_modules` and temporary files of editors are ignored in any case',
    ),
    debounce: defaulted(
      durationFrom(SHORTEST_DEBOUNCE),
      '300ms',
      'How long the files must stay unchanged before the service is restarted or signalled; at least 50ms.',
    ),
    action: defaulted(
      restartOrSignal,
      'restart',
      '`restart`: a new run by the strategy of the service. Or a signal to the main process, such as `SIGHUP`.',
    ),
  },
});
