// Memory of this process. Node collects when it needs room, which an idle process does not, and the C library keeps what was
// freed: after a burst both are asked.
import { getHeapSpaceStatistics, getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { cFunction, type Libc } from './libc.ts';

interface OwnMemory {
  /** In bytes. */
  readonly taken: () => number;
  readonly giveBack: () => void;
  /** In bytes: both halves of it. */
  readonly nursery: () => number;
  readonly collect: () => void;
}

const TRIM = cFunction('int', 'malloc_trim', 'ulong');

/** What lies outside the heap is freed on another thread. */
const SWEPT_MS = 200;

/** V8 shows its collector to contexts that are made while it is told to. */
const collectorOfV8 = (): (() => void) => {
  setFlagsFromString('--expose-gc');
  try {
    return runInNewContext('gc') as () => void;
  } finally {
    setFlagsFromString('--no-expose-gc');
  }
};

/** Free pages go back to the machine where the C library can be called, and does that (glibc). */
export const ownMemory = (libc: Libc | undefined): OwnMemory => {
  const trim = libc?.has(TRIM.name) === true ? (): unknown => libc.ask(TRIM, 0) : () => undefined;
  let collector: (() => void) | undefined;
  const collect = (): void => (collector ??= collectorOfV8())();
  const again = (): void => {
    // The first may have done no more than to end a collection that was under way, for which everything that came meanwhile
    // is in use: of 500 services that had just started the second took 15 MiB more.
    collect();
    trim();
  };
  return {
    taken: () => {
      const { used_heap_size: heap, external_memory: external } = getHeapStatistics();
      return heap + external;
    },
    giveBack: () => {
      collect();
      setTimeout(again, SWEPT_MS).unref();
    },
    nursery: () =>
      getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space')?.space_size ?? 0,
    collect,
  };
};
