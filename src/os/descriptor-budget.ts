// Counts the free descriptors of this process. The descriptors that are held for services must not take all,
// because the supervisor needs some to read processes, to stop services and to serve clients.
// Rules: `docs/behaviour.md`, "Output", "Too few descriptors".
import { closeSync, openSync, readdirSync } from 'node:fs';
import { fileLimitOf } from './children/file-limit.ts';
import { isOutOfDescriptors } from './errno.ts';

/** How many descriptors are kept free for process scans, clients, records, commands and starts. */
export const ROOM = 24;
/**
 * The exact number of free descriptors is not determined as long as an estimate says that at least this many
 * are free.
 */
const FAR = 64;
/**
 * The maximum number of descriptors that a caller opens after one check: the two ends of each of two FIFOs.
 */
const EACH = 4;
/** How long `wasScarce` stays true after a shortage, ms: longer than most callers wait before they retry. */
const MEMORY_MS = 60_000;

/** Above this number of descriptors a count takes milliseconds, so one count is used for `HOLDS_MS`. */
const MANY = 1_000;
const HOLDS_MS = 200;

/** Returns the lowest free descriptor number. */
const probe = (): number => {
  const descriptor = openSync('/dev/null', 'r');
  closeSync(descriptor);
  return descriptor;
};

const ownLimit = (): number => fileLimitOf(process.pid)?.soft ?? Number.POSITIVE_INFINITY;

/** A function that closes some descriptors that are not essential. It returns false if there are none. */
type GiveBack = () => boolean;

export class DescriptorBudget {
  readonly #limitNow: () => number;
  #limit: number;
  /** The upper bound of open descriptors: the last count plus the descriptors opened since. */
  #atMost = Number.POSITIVE_INFINITY;
  #giveBack: GiveBack = () => false;
  #scarceAt = Number.NEGATIVE_INFINITY;
  /**
   * Until this time descriptors count as scarce without a new count, because the last count found too few
   * free descriptors.
   */
  #tightUntil = Number.NEGATIVE_INFINITY;

  constructor(limit: () => number = ownLimit) {
    this.#limitNow = limit;
    this.#limit = limit();
  }

  /** True if too few descriptors are free, even after all that are not essential were closed. */
  isScarce(): boolean {
    let scarce = this.isTight();
    while (scarce && this.#giveBack()) {
      this.#tightUntil = Number.NEGATIVE_INFINITY;
      scarce = this.isTight();
    }
    if (scarce) this.#scarceAt = performance.now();
    return scarce;
  }

  /**
   * True if descriptors are scarce now or were scarce in the last minute. In that case a caller may still be
   * waiting for a free descriptor.
   */
  wasScarce(): boolean {
    return this.isScarce() || performance.now() - this.#scarceAt < MEMORY_MS;
  }

  /** True if too few descriptors are free. Unlike `isScarce`, it closes none. */
  isTight(): boolean {
    try {
      this.#atMost = Math.max(this.#atMost + EACH, probe());
      if (this.#atMost + FAR < this.#limit) return false;
      if (performance.now() < this.#tightUntil) return true;
      this.#limit = this.#limitNow();
      this.#atMost = readdirSync('/proc/self/fd').length;
      const tight = this.#limit - this.#atMost < ROOM;
      if (tight && this.#atMost > MANY) this.#tightUntil = performance.now() + HOLDS_MS;
      return tight;
    } catch (error) {
      return isOutOfDescriptors(error);
    }
  }

  /** Sets the function that `isScarce` calls to free descriptors before it returns true. */
  onShortage(giveBack: GiveBack): void {
    this.#giveBack = giveBack;
  }

  /** A message for the user: the limit on open files, and how to raise it. */
  get advice(): string {
    return `only ${this.#limit} files may be open at once: raise \`ulimit -n\` (LimitNOFILE=) before the supervisor is started`;
  }
}
