// `reload`: a command, or a signal to the main process (`docs/manifest.md`, "reload").
import type { Reload } from '../../../../streams/domain/declared/spec.ts';
import { byShape, mapped } from '../shapes/by-shape.ts';
import { required } from '../shapes/field.ts';
import { object } from '../shapes/object.ts';
import { signal } from '../scalars/signal.ts';
import { filled } from '../scalars/text.ts';

export const reloadSignal = object({
  name: 'reload',
  fields: { signal: required(signal, 'Signal to the main process.') },
});

export const reload = byShape(
  mapped(filled, (command): Reload => ({ tag: 'command', command })),
  mapped(reloadSignal, (declared): Reload => ({ tag: 'signal', signal: declared.signal })),
);
