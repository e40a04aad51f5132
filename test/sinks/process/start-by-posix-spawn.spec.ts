// What the starter itself needs of this machine. What a process is like that it starts: `test/scenarios/start/new-process.spec.ts`.
// Needs the native addon.
import { describe, expect, it } from 'vitest';
import { readLimit, setLimit } from '../../../src/os/libc/resource-limits.ts';
import type { SpawnOrder } from '../../../src/os/libc/posix-spawn.ts';
import { posixStarter } from '../../../src/sinks/process/start-by-posix-spawn.ts';
import type { ExitStatus } from '../../../src/streams/domain/service/exit-status.ts';
import { libcOfThisMachine } from '../../os/support.ts';

const PLAN = { argv: ['/bin/true'], environment: {}, directory: '/' };
const EXIT: ExitStatus = { tag: 'code', code: 0 };

/** In one turn, so that nothing else runs out of descriptors. */
const withoutDescriptors = <T>(work: () => T): T => {
  const libc = libcOfThisMachine();
  const own = readLimit(libc, 'nofile');
  setLimit(libc, 'nofile', { ...own, soft: 0 });
  try {
    return work();
  } finally {
    setLimit(libc, 'nofile', own);
  }
};

describe('starting by posix_spawn', () => {
  it('a start without a free descriptor is refused, and works when there is one', async () => {
    const orders: SpawnOrder[] = [];
    const spawn = (order: SpawnOrder): number => {
      orders.push(order);
      return process.pid;
    };
    const begun = withoutDescriptors(() => {
      const start = posixStarter({
        spawn,
        children: { endOf: () => Promise.resolve(EXIT) },
        limited: (_, go) => go(),
        startTagged: (_, go) => go(),
      });
      return { start, refused: start(PLAN) };
    });
    await expect(begun.refused).rejects.toMatchObject({ code: 'EMFILE' });
    expect(orders).toEqual([]);
    await begun.start(PLAN);
    await begun.start(PLAN);
    const [first, second] = orders.map(({ descriptors }) => descriptors);
    expect(second).toEqual(first);
  });
});
