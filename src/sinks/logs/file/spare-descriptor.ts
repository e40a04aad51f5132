// A spare descriptor. If no other is free, one log at a time can still be opened, written and closed.
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

  /** True if few descriptors are free; then a log file must be closed soon after it was opened. */
  isScarce(): boolean {
    return this.#descriptorBudget.isScarce();
  }

  /**
   * Closes the spare descriptor, so that a log can be opened in its place, and returns true; false if there
   * is none. `restore` opens the spare descriptor again.
   */
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
