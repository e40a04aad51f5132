// `reload`: a command, or a signal to the main process (`docs/manifest.md`, "reload").
import type { Reload } from '../../../streams/domain/declared/spec.ts';
import { byShape, mapped } from '../shapes/by-shape.ts';
import { text } from '../scalars/text.ts';
import { reloadSignal } from './nested/reload-signal.ts';

export const reload = byShape(
  mapped(text, (command): Reload => ({ tag: 'command', command })),
  mapped(reloadSignal, (declared): Reload => ({ tag: 'signal', signal: declared.signal })),
);
