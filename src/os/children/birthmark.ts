// A mark that a process is born with, and keeps whatever it does to its environment, its session and its parents: the limit
// on how long it may compute under a real-time schedule is a number that nobody reaches (over 140,000 years), and tells of
// which run it is. Whoever is forked has it, too.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Libc } from '../libc.ts';
import { readLimit, setLimit, standingLimit } from '../libc/confinement/limits.ts';

/** As the kernel writes it down: a number in decimal digits. */
type Birthmark = string;

/** Bit 62, then whose it is, then the run. */
const LEAST = 1n << 62n;
const RUN_BITS = 24n;
const OWNER_BITS = 38n;
const RUN = (1n << RUN_BITS) - 1n;

/** What was asked for lately: it is asked with each start and each look, and takes longer than everything around it. */
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

/** Of a mark in the environment, `<unit>#<run>`, of this supervisor. */
export const birthmarkFor = (supervisor: string, mark: string): Birthmark =>
  String(numberFor(supervisor, mark));

/** The mark that the birthmark stands for, if it is one of these units'. */
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

/** `undefined`: it has none, or is gone. */
export const birthmarkOf = (pid: number): Birthmark | undefined => {
  try {
    const [, limit] = LINE.exec(readFileSync(`/proc/${pid}/limits`, 'latin1')) ?? [];
    return limit === undefined || BigInt(limit) < LEAST ? undefined : limit;
  } catch {
    return undefined;
  }
};

type Environment = Readonly<Record<string, string | undefined>>;

/** Of the run that an environment tells; `undefined` where it tells of none. */
const toldIn = ({ SUP_SUPERVISOR: supervisor, SUP_UNIT: mark }: Environment): bigint | undefined =>
  supervisor === undefined || mark === undefined ? undefined : numberFor(supervisor, mark);

/** Starts a process by `start`, of the run that its environment tells. */
export type Born = (environment: Environment, start: () => number) => number;

/** Our own limit is another one for the moment of the start: nobody is seen without it. */
export const bornWith = (libc: Libc): Born => {
  const { hard } = readLimit(libc, 'rttime');
  // Somebody has set one already: nobody can be given one beyond it.
  if (hard !== 'unlimited') return (_, start) => start();
  const none = standingLimit(libc, 'rttime', { soft: hard, hard });
  const marked = standingLimit(libc, 'rttime', { soft: hard, hard });
  // Who was started by a service has that one's.
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

/** For one that was started by other means, and is to become the program itself. */
export const bearBirthmark = (libc: Libc, environment: Environment): void => {
  const { hard } = readLimit(libc, 'rttime');
  const birthmark = toldIn(environment);
  if (hard === 'unlimited' && birthmark !== undefined) setLimit(libc, 'rttime', { soft: birthmark, hard });
};
