// A binding describes keys of the live view: what they do, when they can be pressed, and their help. The help
// line and the page of keys are made from the bindings, so that they always agree with what the keys do.
import type { Key } from '../typed-keys.ts';
import type { LiveRow } from './rows.ts';
import { type Intent, type Scene, selectedRow } from './scene.ts';

export interface Pressed {
  readonly scene: Scene;
  readonly intent?: Intent;
}

export interface Binding {
  readonly keys: readonly Key[];
  /** The names of the keys, for the user. */
  readonly label: string;
  /**
   * Returns what the keys do now, for the help line. Without this function the keys are not in the help line,
   * only on the page of keys.
   */
  readonly hint?: (scene: Scene) => string;
  /**
   * The line about the keys on the page of keys; absent if the line of another binding includes these keys.
   */
  readonly help?: string;
  readonly isPossible: (scene: Scene) => boolean;
  readonly press: (scene: Scene, key: Key) => Pressed;
}

/**
 * The keys that scroll or move the selection. Each function returns by how many rows. `page`: the number of
 * rows of a page.
 */
export const STEPS: Readonly<Record<Key, (page: number) => number>> = {
  ...{ up: () => -1, k: () => -1, down: () => 1, j: () => 1 },
  ...{ 'page-up': (page) => -page, 'page-down': (page) => page },
  ...{ home: () => -Infinity, g: () => -Infinity, end: () => Infinity, G: () => Infinity },
};

/** Returns a `press` that only changes the scene. */
export const to =
  (change: (scene: Scene) => Scene) =>
  (scene: Scene): Pressed => ({ scene: change(scene) });

export const isOnServices = ({ focus }: Scene): boolean => focus === 'services';
export const isOnPane = ({ focus }: Scene): boolean => focus === 'pane';
export const isOnLog = ({ focus, pane }: Scene): boolean => focus === 'pane' && pane === 'logs';

/** Returns a function that is true if a row is selected and `is` is true for this row. */
export const onRow =
  (is: (row: LiveRow, scene: Scene) => boolean) =>
  (scene: Scene): boolean => {
    const row = selectedRow(scene);
    return row !== undefined && is(row, scene);
  };
