// A descriptor that is held for when there is no other: one log at a time can then still be opened, written and closed.
import { closeSync, openSync } from 'node:fs';
import { errnoOf } from '../../../os/errno.ts';
import type { Headroom } from '../../../os/files/headroom.ts';

/** Neither the process (`ulimit -n`) nor the machine has a descriptor left. */
export const isOutOfDescriptors = (thrown: unknown): boolean =>
  ['EMFILE', 'ENFILE'].includes(errnoOf(thrown) ?? '');

const opened = (): number | undefined => {
  try {
    return openSync('/dev/null', 'r');
  } catch {
    return undefined;
  }
};

export class Reserve {
  readonly #headroom: Pick<Headroom, 'isScarce'>;
  #spare = opened();

  constructor(headroom: Pick<Headroom, 'isScarce'> = { isScarce: () => false }) {
    this.#headroom = headroom;
  }

  /** Few are left: whoever opens one gives it back soon. */
  isScarce(): boolean {
    return this.#headroom.isScarce();
  }

  /** Whether there is a descriptor more now; to be given back with `restore`. */
  lend(): boolean {
    if (this.#spare === undefined) return false;
    closeSync(this.#spare);
    this.#spare = undefined;
    return true;
  }

  restore(): void {
    this.#spare ??= opened();
  }

  close(): void {
    this.lend();
  }
}
