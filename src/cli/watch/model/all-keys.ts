// All keys of the live view, and the page about them.
import { wrapped } from '../../render/paragraphs.ts';
import { ACTION_KEYS } from './action-keys.ts';
import type { Binding } from './binding.ts';
import { ORDER_KEYS, SERVICE_KEYS } from './list-keys.ts';
import { footRows, messageLines } from './page-shares.ts';
import { COMMON_KEYS, PANE_KEYS } from './pane-keys.ts';
import type { Scene } from './scene.ts';

/** All keys, the most important first. */
const BINDINGS: readonly Binding[] = [
  ...SERVICE_KEYS,
  ...PANE_KEYS,
  ...ACTION_KEYS,
  ...ORDER_KEYS,
  ...COMMON_KEYS,
];

/** Returns the bindings that work now. */
export const possibleKeys = (scene: Scene): readonly Binding[] =>
  BINDINGS.filter(({ isPossible }) => isPossible(scene));

const LABEL_WIDTH = 10;

/** Returns the lines of the page of keys. */
export const keyLines = ({ size: { columns } }: Scene): readonly string[] =>
  BINDINGS.flatMap(({ label, help }) =>
    help === undefined
      ? []
      : wrapped(help, columns - LABEL_WIDTH).map(
          (line, at) => (at === 0 ? `  ${label}` : '').padEnd(LABEL_WIDTH) + line,
        ),
  );

const HEADING = 1;

/** Returns how many lines of the page of keys fit. */
export const keyRoom = (scene: Scene): number =>
  Math.max(0, scene.size.rows - HEADING - footRows(scene) - messageLines(scene).length);
