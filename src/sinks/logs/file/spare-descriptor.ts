// A spare descriptor for when none is free: one log at a time can then still be opened, written and closed.
// Rules: `docs/behaviour.md`, "Output", "Too few descriptors".
import { closeSync, openSync } from 'node:fs';
import type { DescriptorBudget } from '../../../os/own-descriptors.ts';

const opened = (): number | undefined => {
  try {
    return openSync('/dev/null', 'r');
  } catch {
    return undefined;
  }
};

export class SpareDescriptor {
  readonly #descriptorBudget: Pick<DescriptorBudget, 'isScarce'>;
  #spare = opened();

  constructor(descriptorBudget: Pick<DescriptorBudget, 'isScarce'> = { isScarce: () => false }) {
    this.#descriptorBudget = descriptorBudget;
  }

  /** True if few descriptors are left: an opened file must be closed soon. */
  isScarce(): boolean {
    return this.#descriptorBudget.isScarce();
  }

  /** Frees the spare descriptor; false if there is none. Undo it with `restore`. */
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
