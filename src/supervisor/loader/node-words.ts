/**
 * Options of Node for a supervisor. V8 needs one thread besides its own: each of four would keep its own
 * malloc arena. 500 services take 63 MiB instead of 70, at the same CPU time. No option that V8 reads may be
 * here: a code cache is only valid for the options it was made with.
 */
export const NODE_WORDS: readonly string[] = ['--v8-pool-size=1'];
