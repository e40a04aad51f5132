/**
 * What Node is told for a supervisor. V8 needs no more than one thread beside its own: four have an arena of the C library
 * each, and whatever they once worked with. 500 services: 63 MiB instead of 70, and no more CPU. Nothing that V8 reads stands
 * here: a code cache is of the options that it was made under.
 */
export const NODE_WORDS: readonly string[] = ['--v8-pool-size=1'];
