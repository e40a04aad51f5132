// `reload` by a signal (`docs/manifest.md`, "reload").
import { required } from '../../shapes/field.ts';
import { object } from '../../shapes/object.ts';
import { signal } from '../../scalars/signal.ts';
import { OTHER_RELOAD_WORDS } from '../other-words.ts';

export const reloadSignal = object({
  name: 'reload',
  elsewhere: OTHER_RELOAD_WORDS,
  fields: { signal: required(signal, 'Signal to the main process.') },
});
