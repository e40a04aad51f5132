// Identifies the process at the other end of a connection from what the kernel reports: its ancestors, their
// run tags (`SUP_UNIT`) and rlimit tags, and its restrictions. All of this is read before the connection gets
// an answer.
import { readFileSync, readlinkSync } from 'node:fs';
import { uptime } from 'node:os';
import { rlimitTagOf } from '../../os/children/rlimit-tag.ts';
import { isForbidden, isGone } from '../../os/errno.ts';
import type { Libc } from '../../os/libc/libc.ts';
import { credentialsOf, pinnedPeer } from '../../os/sockets/peer.ts';
import { environmentOf } from '../../os/proc/process-facts.ts';
import { type ProcStat, statOf } from '../../os/proc/process-stat.ts';
import type { Caller, Link, Restrictions } from '../../streams/admission/admit-to-control-socket.ts';
import { messageOf } from '../../streams/domain/errors/thrown.ts';

/** Maximum number of ancestors that are read. No caller has that many. */
const MOST_ANCESTORS = 256;
const TICKS_PER_SECOND = 100;

const UNIT = 'SUP_UNIT=';

/** Returns the run tag (`SUP_UNIT`) of a process, if its `SUP_SUPERVISOR` is this data directory. */
const markOf = (pid: number, dataDir: string): string | undefined => {
  const variables = environmentOf(pid);
  if (!variables.includes(`SUP_SUPERVISOR=${dataDir}`)) return undefined;
  return variables.find((variable) => variable.startsWith(UNIT))?.slice(UNIT.length);
};

const linkOf = ({ pid, startTicks, session, group }: ProcStat, dataDir: string): Link => {
  const [mark, tag] = [markOf(pid, dataDir), rlimitTagOf(pid)];
  return {
    ...{ pid, startTicks, session, group },
    ...(mark !== undefined && { mark }),
    ...(tag !== undefined && { tag }),
  };
};

interface Line {
  readonly line: readonly Link[];
  readonly isBelowSupervisor: boolean;
}

/**
 * Returns a process and its ancestors, up to the supervisor or pid 1. The search also ends at a parent that
 * is younger than its child: the real parent has exited, and the younger process has reused its pid.
 */
const lineFrom = (first: ProcStat, dataDir: string): Line => {
  const line: Link[] = [];
  let next: ProcStat | undefined = first;
  let below = Infinity;
  while (next !== undefined && next.startTicks <= below && line.length < MOST_ANCESTORS) {
    line.push(linkOf(next, dataDir));
    if (next.parent === process.pid) return { line, isBelowSupervisor: true };
    below = next.startTicks;
    next = next.parent > 1 ? statOf(next.parent) : undefined;
  }
  return { line, isBelowSupervisor: false };
};

const field = (status: string, name: string): string =>
  new RegExp(`^${name}:\\s+(\\S+)$`, 'm').exec(status)?.[1] ?? '0';

const boundIn = (status: string): bigint => BigInt(`0x${field(status, 'CapBnd')}`);

const NAMESPACES = ['user', 'pid'] as const;

/**
 * Returns an identifier of the namespace that the process is in: `undefined` if this user may not read it,
 * `none` if the kernel has no such namespaces.
 */
const namespaceOf = (pid: number | 'self', kind: string): string | undefined => {
  try {
    return readlinkSync(`/proc/${pid}/ns/${kind}`);
  } catch (error) {
    if (isForbidden(error)) return undefined;
    if (isGone(error)) return 'none';
    throw error;
  }
};

/**
 * True if the process is in another namespace than the supervisor. If this user may not read the namespace,
 * the result depends on the user of the process. A process of our own user has then restricted itself (true);
 * a process of another user is no service of this supervisor (false).
 */
const isElsewhere = (pid: number, uid: number): boolean =>
  NAMESPACES.some((kind) => {
    const theirs = namespaceOf(pid, kind);
    return theirs === undefined ? uid === process.getuid?.() : theirs !== namespaceOf('self', kind);
  });

const restrictionsOf = (pid: number, uid: number): Restrictions => {
  const [theirs, own] = [pid, 'self'].map((one) => readFileSync(`/proc/${one}/status`, 'latin1'));
  const [status = '', self = ''] = [theirs, own];
  return {
    noNewPrivileges: field(status, 'NoNewPrivs') === '1' && field(self, 'NoNewPrivs') !== '1',
    seccomp: Number(field(status, 'Seccomp')) > Number(field(self, 'Seccomp')),
    fewerCapabilities: (boundIn(self) & ~boundIn(status)) !== 0n,
    otherNamespace: isElsewhere(pid, uid),
  };
};

const unknown = (detail: string): Caller => ({ tag: 'unknown', detail });

const GONE = 'the process that connected has ended';

interface Connected {
  readonly pid: number;
  readonly uid: number;
  /**
   * The latest start time, in ticks since boot. A process that started later is not the process that
   * connected.
   */
  readonly latest: number;
}

const described = ({ pid, uid, latest }: Connected, dataDir: string): Caller => {
  const stat = statOf(pid);
  if (stat === undefined || stat.zombie || stat.startTicks > latest) return unknown(GONE);
  const known = { tag: 'known', ...lineFrom(stat, dataDir), restrictions: restrictionsOf(pid, uid) } as const;
  // The facts above were read by pid, so check that the pid still belongs to the same process.
  return statOf(pid)?.startTicks === stat.startTicks ? known : unknown(GONE);
};

interface CallerPorts {
  /** Reads the credentials of a connection. Absent if the C library cannot be called. */
  readonly libc: Libc | undefined;
  readonly dataDir: string;
}

/**
 * Returns what is known of the process that connected: `unknown` if it cannot be identified. Never throws.
 */
export const callerOf = (descriptor: number | undefined, { libc, dataDir }: CallerPorts): Caller => {
  if (libc === undefined) return { tag: 'unasked' };
  if (descriptor === undefined) return unknown('it has closed the connection');
  try {
    const latest = Math.ceil(uptime() * TICKS_PER_SECOND) + 1;
    const { pid, uid } = credentialsOf(libc, descriptor);
    const pinned = pinnedPeer(libc, descriptor) ?? pid;
    if (pid === 0) return unknown('it is in a pid namespace that the supervisor cannot see');
    return pinned === pid ? described({ pid, uid, latest }, dataDir) : unknown(GONE);
  } catch (error) {
    return unknown(messageOf(error));
  }
};
