// Releases memory after much work. An idle process collects no garbage, V8 keeps its young generation large,
// and the C library keeps freed pages. So this file starts a garbage collection and trims the C heap.
import { getHeapSpaceStatistics, getHeapStatistics } from 'node:v8';
import { cFunction, type Libc } from './libc/libc.ts';

const TRIM = cFunction('int', 'malloc_trim', 'ulong');

/**
 * Delay between garbage collection and trimming, ms. Meanwhile another thread of V8 frees memory outside of
 * the V8 heap.
 */
const SWEPT_MS = 200;

interface OwnMemory {
  /** Returns the bytes of heap in use, including garbage that is not collected yet. */
  readonly taken: () => number;
  /** Returns the bytes of V8's young generation (both halves). */
  readonly youngGenerationBytes: () => number;
  /**
   * Starts a garbage collection in a later turn of the event loop. The collection blocks this process for
   * about 30 ms.
   */
  readonly giveBack: () => void;
}

/** Returns the inspector module; `undefined` if Node is built without it. */
const inspector = (): typeof import('node:inspector') | undefined =>
  process.getBuiltinModule('node:inspector');

/** Collects garbage as under memory pressure, which shrinks the young generation. Then calls `done`. */
const collect = (done: () => void): void => {
  const tools = inspector();
  if (tools === undefined) return done();
  const session = new tools.Session();
  session.connect();
  session.post('HeapProfiler.collectGarbage', () => {
    // V8 holds a lock during this callback, so a disconnect at once would deadlock.
    setImmediate(() => session.disconnect());
    done();
  });
};

/** Returns the memory functions of this process. Trimming the C heap needs `malloc_trim` (glibc). */
export const ownMemory = (libc: Libc | undefined): OwnMemory => {
  const trim = libc?.has(TRIM.name) === true ? (): unknown => libc.ask(TRIM, 0) : () => undefined;
  return {
    taken: () => {
      const { used_heap_size: heap, external_memory: external } = getHeapStatistics();
      return heap + external;
    },
    youngGenerationBytes: () =>
      getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space')?.space_size ?? 0,
    giveBack: () => collect(() => void setTimeout(trim, SWEPT_MS).unref()),
  };
};
