// Reads and sets resource limits, priority and CPU affinity: getrlimit(2), setpriority(2),
// sched_setaffinity(2).
import { cFunction, type Libc } from './libc.ts';
import { words64 } from './c-memory.ts';

/** The kernel's number of each limited resource. The numbers are the same on x64 and arm64. */
const RESOURCES = {
  ...{ cpu: 0, fsize: 1, data: 2, stack: 3, core: 4, nproc: 6, nofile: 7, memlock: 8, rttime: 15 },
} as const;
type Resource = keyof typeof RESOURCES;

const INFINITY = 0xffff_ffff_ffff_ffffn;
const SETRLIMIT = cFunction('int', 'setrlimit', 'int', 'pointer');
const GETRLIMIT = cFunction('int', 'getrlimit', 'int', 'pointer');
const PRLIMIT = cFunction('int', 'prlimit', 'int', 'int', 'pointer', 'pointer');
const SETPRIORITY = cFunction('int', 'setpriority', 'int', 'uint', 'int');
const SETAFFINITY = cFunction('int', 'sched_setaffinity', 'int', 'ulong', 'pointer');
const PRIO_PROCESS = 0;

export type LimitValue = number | bigint | 'unlimited';

interface ResourceLimit {
  readonly soft: LimitValue;
  readonly hard: LimitValue;
}

const worded = (value: bigint): LimitValue => (value === INFINITY ? 'unlimited' : Number(value));
const numbered = (value: LimitValue): bigint => (value === 'unlimited' ? INFINITY : BigInt(value));

export const readLimit = (libc: Libc, resource: Resource): ResourceLimit => {
  const buffer = words64(0n, 0n);
  libc.call(GETRLIMIT, RESOURCES[resource], buffer);
  return { soft: worded(buffer.readBigUInt64LE(0)), hard: worded(buffer.readBigUInt64LE(8)) };
};

const wordsOf = ({ soft, hard }: ResourceLimit): Buffer => words64(numbered(soft), numbered(hard));

export const setLimit = (libc: Libc, resource: Resource, limit: ResourceLimit): void => {
  libc.call(SETRLIMIT, RESOURCES[resource], wordsOf(limit));
};

/**
 * Functions that set a limit of this process repeatedly, from a `struct rlimit` that is allocated only once.
 */
interface StandingLimit {
  readonly set: () => void;
  /**
   * Changes the soft limit in the structure, then sets the limit of this process. The hard limit stays the
   * same.
   */
  readonly setSoft: (soft: bigint) => void;
}

export const standingLimit = (libc: Libc, resource: Resource, limit: ResourceLimit): StandingLimit => {
  const words = libc.hold(wordsOf(limit));
  const set = (): void => void libc.call(SETRLIMIT, RESOURCES[resource], words);
  return {
    set,
    setSoft: (soft) => {
      words.writeBigUInt64LE(soft);
      set();
    },
  };
};

/** Sets the limit of another process. Ignores failure, because the process may be gone. */
export const setLimitOf = (
  libc: Libc,
  pid: number,
  ...[resource, limit]: [Resource, ResourceLimit]
): void => {
  libc.ask(PRLIMIT, pid, RESOURCES[resource], wordsOf(limit), null);
};

/** Sets the priority, from -20 (highest) to 19 (lowest). */
export const setNice = (libc: Libc, nice: number): void => {
  libc.call(SETPRIORITY, PRIO_PROCESS, 0, nice);
};

/** Lets this process run only on these CPUs. The kernel ignores indexes that the machine lacks. */
export const setAffinity = (libc: Libc, cpus: readonly number[]): void => {
  const mask = Buffer.alloc((Math.floor(Math.max(...cpus) / 64) + 1) * 8);
  for (const cpu of cpus) {
    const at = Math.floor(cpu / 8);
    mask.writeUInt8(mask.readUInt8(at) | (1 << (cpu % 8)), at);
  }
  libc.call(SETAFFINITY, 0, mask.length, mask);
};
