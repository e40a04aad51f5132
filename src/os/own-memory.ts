// Memory of this process. Node collects when it needs room, which an idle process does not, V8 keeps the nursery that a burst has
// made it grow to, and the C library keeps what was freed: afterwards both are asked.
import { getHeapSpaceStatistics, getHeapStatistics } from 'node:v8';
import { cFunction, type Libc } from './libc.ts';

const TRIM = cFunction('int', 'malloc_trim', 'ulong');

/** What lies outside the heap is freed on another thread. */
const SWEPT_MS = 200;

interface OwnMemory {
  /** In bytes: what is in use, and what nobody has collected yet. */
  readonly taken: () => number;
  /** In bytes: what is kept for objects that are made, both halves of it. */
  readonly nursery: () => number;
  /** Begins with it: a pause of some thirty milliseconds, in a turn of the loop to come. */
  readonly giveBack: () => void;
}

/** A Node that is built without one has none. */
const inspector = (): typeof import('node:inspector') | undefined =>
  process.getBuiltinModule('node:inspector');

/** What V8 does when its embedder says that memory is short: all that can go goes, and the nursery is as small as at the beginning. */
const collect = (done: () => void): void => {
  const tools = inspector();
  if (tools === undefined) return done();
  const session = new tools.Session();
  session.connect();
  session.post('HeapProfiler.collectGarbage', () => {
    // V8 holds a lock while it answers, and would wait for itself.
    setImmediate(() => session.disconnect());
    done();
  });
};

/** Free pages go back to the machine where the C library can be called, and does that (glibc). */
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
