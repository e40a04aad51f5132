// A spare descriptor. If no other descriptor is free, one log at a time can still be opened, written and
// closed.
// Rules: `docs/behaviour.md`, "Output", "Too few descriptors".
import { closeSync, openSync } from 'node:fs';
import type { DescriptorBudget } from '../../../os/descriptor-budget.ts';

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

  /** True if few descriptors are free. Log files must then be closed soon after a write. */
  isScarce(): boolean {
    return this.#descriptorBudget.isScarce();
  }

  /** Closes the spare descriptor, so that a log can be opened. False if it is closed already. */
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
