// A spare descriptor: if no other is free, one log at a time can still be opened, written and closed.
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

  /** True if few descriptors are free; log files must then be closed soon. */
  isScarce(): boolean {
    return this.#descriptorBudget.isScarce();
  }

  /** Closes the spare descriptor so that a log can be opened, until `restore`; false if there is none. */
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
