// A descriptor that is held for when there is no other: one log at a time can then still be opened, written and closed.
import { closeSync, openSync } from 'node:fs';
import { errnoOf } from '../../../os/errno.ts';

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
  #spare = opened();

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
