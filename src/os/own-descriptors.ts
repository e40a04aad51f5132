// The descriptors of this process: those of its streams, read from fields that Node does not document, and
// the budget of all. What services keep for good must leave some over: without a descriptor no process can be
// read or stopped, and no client served.
// Rules: `docs/behaviour.md`, "Output", "Too few descriptors".
import { closeSync, openSync, readdirSync } from 'node:fs';
import { fileLimitOf } from './children/file-limit.ts';
import { isOutOfDescriptors } from './errno.ts';

const ofHandle = (owner: object, name: string): unknown => {
  const handle: unknown = Reflect.get(owner, '_handle');
  return typeof handle === 'object' && handle !== null ? Reflect.get(handle, name) : undefined;
};

/** The descriptor of a socket or a server; `undefined` if it has none any more. */
export const descriptorOfHandle = (owner: object): number | undefined => {
  const descriptor = ofHandle(owner, 'fd');
  return typeof descriptor === 'number' && descriptor >= 0 ? descriptor : undefined;
};

/** Bytes that a stream has begun to write and the kernel has not taken yet. */
export const queuedBytes = (owner: object): number => {
  const queued = ofHandle(owner, 'writeQueueSize');
  return typeof queued === 'number' ? queued : 0;
};

/** Closes a descriptor that may be closed already. */
export const closeDescriptor = (descriptor: number): void => {
  try {
    closeSync(descriptor);
  } catch {
    // It is closed already.
  }
};

/** Descriptors reserved for process scans, clients, records, commands and starts. */
export const ROOM = 24;
/** With at least this many descriptors free, skip the exact count. */
const FAR = 64;
/** A caller opens at most this many: both ends of two FIFOs. */
const EACH = 4;
/** How long scarcity is remembered: longer than most callers wait before they retry. */
const MEMORY_MS = 60_000;

/** The lowest free descriptor. */
const probe = (): number => {
  const descriptor = openSync('/dev/null', 'r');
  closeSync(descriptor);
  return descriptor;
};

const ownLimit = (): number => fileLimitOf(process.pid)?.soft ?? Number.POSITIVE_INFINITY;

/** Closes some dispensable descriptors; false if there are none. */
type GiveBack = () => boolean;

export class DescriptorBudget {
  readonly #limitNow: () => number;
  #limit: number;
  /**
   * Upper bound: the number open at the last count, plus what may have come since. The lowest free number
   * says too little, since a low one that is closed repeatedly hides all that are taken above it.
   */
  #atMost = Number.POSITIVE_INFINITY;
  #giveBack: GiveBack = () => false;
  #scarceAt = Number.NEGATIVE_INFINITY;

  constructor(limit: () => number = ownLimit) {
    this.#limitNow = limit;
    this.#limit = limit();
  }

  /** True if too few are left for any long-lived use, although all dispensable ones are closed. */
  isScarce(): boolean {
    let scarce = this.isTight();
    while (scarce && this.#giveBack()) scarce = this.isTight();
    if (scarce) this.#scarceAt = performance.now();
    return scarce;
  }

  /** True if descriptors are scarce or were recently: a caller may be waiting for one. */
  wasScarce(): boolean {
    return this.isScarce() || performance.now() - this.#scarceAt < MEMORY_MS;
  }

  /** True if too few are left for dispensable uses. */
  isTight(): boolean {
    try {
      this.#atMost = Math.max(this.#atMost + EACH, probe());
      if (this.#atMost + FAR < this.#limit) return false;
      this.#limit = this.#limitNow();
      this.#atMost = readdirSync('/proc/self/fd').length;
      return this.#limit - this.#atMost < ROOM;
    } catch (error) {
      return isOutOfDescriptors(error);
    }
  }

  /** Sets the callback that frees descriptors before a request is refused. */
  onShortage(giveBack: GiveBack): void {
    this.#giveBack = giveBack;
  }

  /** Advice for the user. */
  get advice(): string {
    return `only ${this.#limit} files may be open at once: raise \`ulimit -n\` (LimitNOFILE=) before the supervisor is started`;
  }
}
