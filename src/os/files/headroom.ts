// How many more files this process may have open. What services need for good leaves some over: without a descriptor no
// process can be looked at, nobody stopped, and no client heard.
import { closeSync, openSync, readdirSync } from 'node:fs';
import { errnoOf } from '../errno.ts';
import { fileLimitOf } from '../children/file-limit.ts';

/** For looks at processes, clients, records, commands and starts. */
export const ROOM = 24;
/** So far from the limit nobody counts. */
const FAR = 64;
/** Whoever asks opens at most so many: both ends of two FIFOs. */
const EACH = 4;
/** How long it is told of afterwards: longer than most wait before they try again. */
const MEMORY_MS = 60_000;

/** The lowest that is free. */
const probe = (): number => {
  const descriptor = openSync('/dev/null', 'r');
  closeSync(descriptor);
  return descriptor;
};

const ownLimit = (): number => fileLimitOf(process.pid)?.soft ?? Number.POSITIVE_INFINITY;

/** Closes some that can be done without; false: there are none. */
type GiveBack = () => boolean;

export class Headroom {
  readonly #limitNow: () => number;
  #limit: number;
  /**
   * As many as were open when they were counted, and as may have come since. What is free tells too little: a low number
   * that is closed again and again hides all that are taken above it.
   */
  #atMost = Number.POSITIVE_INFINITY;
  #giveBack: GiveBack = () => false;
  #scarceAt = Number.NEGATIVE_INFINITY;

  constructor(limit: () => number = ownLimit) {
    this.#limitNow = limit;
    this.#limit = limit();
  }

  /** Too few are left for anything that keeps one for good, although nobody holds any more that can be done without. */
  isScarce(): boolean {
    let scarce = this.isTight();
    while (scarce && this.#giveBack()) scarce = this.isTight();
    if (scarce) this.#scarceAt = performance.now();
    return scarce;
  }

  /** Now or a moment ago: somebody may be waiting for one. */
  wasScarce(): boolean {
    return this.isScarce() || performance.now() - this.#scarceAt < MEMORY_MS;
  }

  /** Too few are left for what can be done without. */
  isTight(): boolean {
    try {
      this.#atMost = Math.max(this.#atMost + EACH, probe());
      if (this.#atMost + FAR < this.#limit) return false;
      this.#limit = this.#limitNow();
      this.#atMost = readdirSync('/proc/self/fd').length;
      return this.#limit - this.#atMost < ROOM;
    } catch (error) {
      return ['EMFILE', 'ENFILE'].includes(errnoOf(error) ?? '');
    }
  }

  /** Asked before anybody goes without. */
  lender(giveBack: GiveBack): void {
    this.#giveBack = giveBack;
  }

  /** What to say about it. */
  get advice(): string {
    return `only ${this.#limit} files may be open at once: raise \`ulimit -n\` (LimitNOFILE=) before the supervisor is started`;
  }
}
