// The rlimit tag that identifies the run of a process. It is a value of the soft limit on CPU time under
// real-time scheduling (`RLIMIT_RTTIME`) that is too large to have an effect. Forked processes inherit the
// tag, and it survives any change of environment, session or parent.
// Rules: `docs/behaviour.md`, "Children and strays".
import { createHash } from 'node:crypto';
import type { Libc } from '../libc/libc.ts';
import { readLimit, setLimit, standingLimit } from '../libc/resource-limits.ts';
import { groupsIn } from '../proc/process-facts.ts';

/** The tag in decimal digits, as the kernel prints the limit. */
type RlimitTag = string;

/**
 * The smallest tag, in which only bit 62 is set. The bits below are a hash of supervisor and service, and
 * then the run number.
 */
const LEAST = 1n << 62n;
const RUN_BITS = 24n;
const OWNER_BITS = 38n;
const RUN = (1n << RUN_BITS) - 1n;

/**
 * A cache of the hashes of supervisor and service, because each start and each process scan needs them. The
 * cache is cleared when it has `MOST_OWNERS` entries.
 */
const askedLately = new Map<string, bigint>();
const MOST_OWNERS = 16_384;

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

/** Returns the rlimit tag for a run tag (`SUP_UNIT`) of this supervisor. */
export const rlimitTagFor = (supervisor: string, mark: string): RlimitTag =>
  String(numberFor(supervisor, mark));

/**
 * Returns a function that converts an rlimit tag to the run tag. That function returns `undefined` if the
 * service of the run is not in `units`.
 */
export const marksBorn = (
  supervisor: string,
  units: readonly string[],
): ((rlimitTag: RlimitTag) => string | undefined) => {
  const owners = new Map(units.map((unit) => [ownerOf(supervisor, unit), unit]));
  return (rlimitTag) => {
    const unit = owners.get((BigInt(rlimitTag) ^ LEAST) >> RUN_BITS);
    return unit === undefined ? undefined : `${unit}#${BigInt(rlimitTag) & RUN}`;
  };
};

const LINE = /^Max realtime timeout\s+(\d+)/m;

/** Returns the rlimit tag of a process; `undefined` if the process has no tag or is gone. */
export const rlimitTagOf = (pid: number): RlimitTag | undefined => {
  const [limit] = groupsIn(`/proc/${pid}/limits`, LINE);
  return limit === undefined || BigInt(limit) < LEAST ? undefined : limit;
};

type Environment = Readonly<Record<string, string | undefined>>;

/** Returns the rlimit tag for the run that the environment names; `undefined` if it names no run. */
const toldIn = ({ SUP_SUPERVISOR: supervisor, SUP_UNIT: mark }: Environment): bigint | undefined =>
  supervisor === undefined || mark === undefined ? undefined : numberFor(supervisor, mark);

/**
 * A function that calls `start`, which starts a process, and returns the pid of that process. The process
 * inherits the rlimit tag of the run that `environment` names.
 */
export type StartTagged = (environment: Environment, start: () => number) => number;

/**
 * Returns a function that starts tagged processes. During the start this process itself has the tag, so that
 * the new process inherits it.
 */
export const taggedStarter = (libc: Libc): StartTagged => {
  const { hard } = readLimit(libc, 'rttime');
  // If there is a hard limit, it is less than any tag, and a soft limit cannot exceed it. So processes get no
  // tag.
  if (hard !== 'unlimited') return (_, start) => start();
  const none = standingLimit(libc, 'rttime', { soft: hard, hard });
  const marked = standingLimit(libc, 'rttime', { soft: hard, hard });
  // If a service has started this supervisor, the supervisor has inherited a tag: remove the tag.
  none.set();
  return (environment, start) => {
    const rlimitTag = toldIn(environment);
    if (rlimitTag === undefined) return start();
    marked.setSoft(rlimitTag);
    try {
      return start();
    } finally {
      none.set();
    }
  };
};

/** Sets the rlimit tag of this process, which will execute the program of the run. */
export const takeRlimitTag = (libc: Libc, environment: Environment): void => {
  const { hard } = readLimit(libc, 'rttime');
  const rlimitTag = toldIn(environment);
  if (hard === 'unlimited' && rlimitTag !== undefined) setLimit(libc, 'rttime', { soft: rlimitTag, hard });
};
