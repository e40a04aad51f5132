// How many more files this process may have open. What services need for good leaves some over: without a descriptor no
// process can be looked at, nobody stopped, and no client heard.
import { closeSync, openSync, readdirSync } from 'node:fs';
import { errnoOf } from '../errno.ts';
import { fileLimitOf } from '../children/file-limit.ts';

/** For looks at processes, clients, records, commands and starts. */
export const ROOM = 24;
/** So far from the limit nobody counts. */
const FAR = 64;
/** How long it is told of afterwards: longer than most wait before they try again. */
const MEMORY_MS = 60_000;

/** The lowest that is free. */
const probe = (): number => {
  const descriptor = openSync('/dev/null', 'r');
  closeSync(descriptor);
  return descriptor;
};

const ownLimit = (): number => fileLimitOf(process.pid)?.soft ?? Number.POSITIVE_INFINITY;

export class Headroom {
  readonly #limitNow: () => number;
  #limit: number;
  /** Descriptors are given out from the lowest: there were never more than that. */
  #highest = 0;
  #scarceAt = Number.NEGATIVE_INFINITY;

  constructor(limit: () => number = ownLimit) {
    this.#limitNow = limit;
    this.#limit = limit();
  }

  /** Too few are left for anything that keeps one for good. */
  isScarce(): boolean {
    const scarce = this.#look();
    if (scarce) this.#scarceAt = performance.now();
    return scarce;
  }

  /** Now or a moment ago: somebody may be waiting for one. */
  wasScarce(): boolean {
    return this.isScarce() || performance.now() - this.#scarceAt < MEMORY_MS;
  }

  #look(): boolean {
    try {
      this.#highest = Math.max(this.#highest, probe());
      if (this.#highest + FAR < this.#limit) return false;
      this.#limit = this.#limitNow();
      return this.#limit - readdirSync('/proc/self/fd').length < ROOM;
    } catch (error) {
      return ['EMFILE', 'ENFILE'].includes(errnoOf(error) ?? '');
    }
  }

  /** What to say about it. */
  get advice(): string {
    return `only ${this.#limit} files may be open at once: raise \`ulimit -n\` (LimitNOFILE=) before the supervisor is started`;
  }
}
