// Memory of this process. An idle process triggers no collection, V8 keeps the young generation that a burst
// grew, and the C library keeps freed pages. After a burst both are asked to release them.
import { getHeapSpaceStatistics, getHeapStatistics } from 'node:v8';
import { cFunction, type Libc } from './libc/libc.ts';

const TRIM = cFunction('int', 'malloc_trim', 'ulong');

/** Delay before trimming: memory outside the heap is freed on another thread. */
const SWEPT_MS = 200;

interface OwnMemory {
  /** Bytes in use, with those that are not collected yet. */
  readonly taken: () => number;
  /** Bytes of the young generation, both halves. */
  readonly nursery: () => number;
  /** Starts a collection: a pause of some 30 ms in a later turn of the loop. */
  readonly giveBack: () => void;
}

/** `undefined` if Node is built without the inspector. */
const inspector = (): typeof import('node:inspector') | undefined =>
  process.getBuiltinModule('node:inspector');

/**
 * Collects as V8 does under memory pressure: frees all it can and shrinks the young generation to its initial
 * size.
 */
const collect = (done: () => void): void => {
  const tools = inspector();
  if (tools === undefined) return done();
  const session = new tools.Session();
  session.connect();
  session.post('HeapProfiler.collectGarbage', () => {
    // V8 holds a lock while it answers: disconnecting at once would deadlock.
    setImmediate(() => session.disconnect());
    done();
  });
};

/** Free pages go back to the machine if the C library can be called and has `malloc_trim` (glibc). */
export const ownMemory = (libc: Libc | undefined): OwnMemory => {
  const trim = libc?.has(TRIM.name) === true ? (): unknown => libc.ask(TRIM, 0) : () => undefined;
  return {
    taken: () => {
      const { used_heap_size: heap, external_memory: external } = getHeapStatistics();
      return heap + external;
    },
    nursery: () =>
      getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space')?.space_size ?? 0,
    giveBack: () => collect(() => void setTimeout(trim, SWEPT_MS).unref()),
  };
};
