// Tags a process with its run. The tag survives any change of environment, session or parent, and forked
// processes inherit it. It is the limit on CPU time under a real-time schedule: a number out of reach (over
// 140,000 years).
// Rules: `docs/behaviour.md`, "Children and strays".
import { createHash } from 'node:crypto';
import type { Libc } from '../libc/libc.ts';
import { readLimit, setLimit, standingLimit } from '../libc/resource-limits.ts';
import { groupsIn } from '../proc/process-facts.ts';

/** The limit as the kernel prints it: decimal digits. */
type Birthmark = string;

/** Layout: bit 62, then the owner (supervisor and unit), then the run. */
const LEAST = 1n << 62n;
const RUN_BITS = 24n;
const OWNER_BITS = 38n;
const RUN = (1n << RUN_BITS) - 1n;

/** Recent hashes. One is needed for each start and each scan, and takes longer than everything around it. */
const askedLately = new Map<string, bigint>();
const MOST_OWNERS = 4096;

const ownerOf = (supervisor: string, unit: string): bigint => {
  const name = `${supervisor}\0${unit}`;
  const known = askedLately.get(name);
  if (known !== undefined) return known;
  const owner = createHash('sha256').update(name).digest().readBigUInt64BE(0) >> (64n - OWNER_BITS);
  if (askedLately.size >= MOST_OWNERS) askedLately.clear();
  askedLately.set(name, owner);
  return owner;
};

const numberFor = (supervisor: string, mark: string): bigint => {
  const at = mark.lastIndexOf('#');
  const run = BigInt(mark.slice(at + 1)) & RUN;
  return LEAST | (ownerOf(supervisor, mark.slice(0, at)) << RUN_BITS) | run;
};

/** The birthmark for a mark in the environment of this supervisor, `<unit>#<run>`. */
export const birthmarkFor = (supervisor: string, mark: string): Birthmark =>
  String(numberFor(supervisor, mark));

/** Returns a lookup from birthmark to mark; `undefined` if it belongs to none of these units. */
export const marksBorn = (
  supervisor: string,
  units: readonly string[],
): ((birthmark: Birthmark) => string | undefined) => {
  const owners = new Map(units.map((unit) => [ownerOf(supervisor, unit), unit]));
  return (birthmark) => {
    const unit = owners.get((BigInt(birthmark) ^ LEAST) >> RUN_BITS);
    return unit === undefined ? undefined : `${unit}#${BigInt(birthmark) & RUN}`;
  };
};

const LINE = /^Max realtime timeout\s+(\d+)/m;

/** `undefined`: the process has none, or is gone. */
export const birthmarkOf = (pid: number): Birthmark | undefined => {
  const [limit] = groupsIn(`/proc/${pid}/limits`, LINE);
  return limit === undefined || BigInt(limit) < LEAST ? undefined : limit;
};

type Environment = Readonly<Record<string, string | undefined>>;

/** The number for the run that an environment names; `undefined` if it names none. */
const toldIn = ({ SUP_SUPERVISOR: supervisor, SUP_UNIT: mark }: Environment): bigint | undefined =>
  supervisor === undefined || mark === undefined ? undefined : numberFor(supervisor, mark);

/** Starts a process by `start`, tagged with the run that its environment names. */
export type Born = (environment: Environment, start: () => number) => number;

/** Our own limit is changed during the start, so the process is never seen without its tag. */
export const bornWith = (libc: Libc): Born => {
  const { hard } = readLimit(libc, 'rttime');
  // A hard limit is set already, and no process can exceed it.
  if (hard !== 'unlimited') return (_, start) => start();
  const none = standingLimit(libc, 'rttime', { soft: hard, hard });
  const marked = standingLimit(libc, 'rttime', { soft: hard, hard });
  // If a service started this supervisor, it inherited that service's tag.
  none.set();
  return (environment, start) => {
    const birthmark = toldIn(environment);
    if (birthmark === undefined) return start();
    marked.setSoft(birthmark);
    try {
      return start();
    } finally {
      none.set();
    }
  };
};

/** Tags this process itself, which was started by other means and will execute the program. */
export const bearBirthmark = (libc: Libc, environment: Environment): void => {
  const { hard } = readLimit(libc, 'rttime');
  const birthmark = toldIn(environment);
  if (hard === 'unlimited' && birthmark !== undefined) setLimit(libc, 'rttime', { soft: birthmark, hard });
};
