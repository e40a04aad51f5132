// How big V8's nursery may grow in a supervisor, in MiB. By default a burst of work makes it grow by tens of them, and it keeps
// them; where there is no FFI, a fork costs the more the more memory there is to copy the tables of. 500 services: 49 MiB
// instead of 72.

export const NURSERY = '--max-semi-space-size=2';

/**
 * What Node is told for a supervisor. V8 needs no more than one thread beside its own: four have an arena of the C library
 * each, and whatever they once worked with. 500 services: 63 MiB instead of 70, and no more CPU.
 */
export const NODE_WORDS: readonly string[] = [NURSERY, '--v8-pool-size=1'];
