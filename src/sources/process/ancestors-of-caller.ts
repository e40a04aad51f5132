// Identifies the caller of `sup spawn` (the process that requests a child) and its ancestors, by the
// credentials that the kernel reports for the control connection.
// Rules: `docs/behaviour.md`, "Children that a service asks for", "The caller"; `docs/behaviour.md`, "Events
// that a service reports", "The sender".
import { defer } from 'rxjs';
import { findUid, machineIds } from '../../os/accounts.ts';
import { confinementOf, uidsOf } from '../../os/proc/confinement.ts';
import { startTicksOf, statOf } from '../../os/proc/process-stat.ts';
import type { Event } from '../../streams/domain/event.ts';
import type { RequestId } from '../../streams/domain/ids.ts';
import type { Source } from '../../streams/domain/ports.ts';
import type { Ancestor, Ancestry, DeclaredUids } from '../../streams/domain/service/ancestry.ts';
import { innerRootUid } from '../../streams/launch/namespace-steps.ts';

/**
 * Returns the uid of the account of a service; `undefined` if there is no such account. Rejects with
 * `NoAnswer` if the name service does not answer.
 */
const declaredUid = async (account: string): Promise<number | undefined> =>
  innerRootUid(account, machineIds()) ?? findUid(account);

/** The process at the other end of the connection that sent a request. */
export type Peer =
  | { readonly tag: 'known'; readonly pid: number; readonly uid: number; readonly sinceTicks: number }
  | { readonly tag: 'unknown'; readonly detail: string };

export interface Peers {
  /** Returns the process that sent a pending request. */
  of(request: RequestId): Peer;
}

/** Maximum number of ancestors that are read. No process of a service has more ancestors. */
const MOST = 256;

/** Functions that read this machine, to identify the process that sent a request. */
export interface TracePorts {
  readonly peers: Peers;
  /** True for `--sys`: then a service runs as its `user`, otherwise as the supervisor's user. */
  readonly privileged: boolean;
  /** Returns the uid of an account; `undefined` if there is none. */
  readonly uidOf?: (user: string) => Promise<number | undefined>;
}

const confinementIfReadable = (pid: number): Pick<Ancestor, 'confinement'> => {
  try {
    return { confinement: confinementOf(pid) };
  } catch {
    return {};
  }
};

/**
 * Returns the process with this pid, if it can be read. The start time is read before and after the other
 * facts, to detect that the pid was reused meanwhile.
 */
const ancestorOf = (pid: number): (Ancestor & { readonly parent: number }) | undefined => {
  try {
    const stat = statOf(pid);
    if (stat === undefined || stat.zombie) return undefined;
    const { startTicks, parent } = stat;
    const found = { pid, startTicks, parent, uids: uidsOf(pid), ...confinementIfReadable(pid) };
    return startTicksOf(pid) === startTicks ? found : undefined;
  } catch {
    return undefined;
  }
};

/** Returns the process and its ancestors, up to pid 1 or the supervisor. */
const lineFrom = (pid: number, self: number): readonly Ancestor[] => {
  const line: Ancestor[] = [];
  let next = pid;
  while (next > 1 && next !== self && line.length < MOST) {
    const found = ancestorOf(next);
    // A parent is never younger than its child: a younger process has reused the parent's pid.
    if (found === undefined || found.startTicks > (line.at(-1)?.startTicks ?? Infinity)) break;
    const { parent, ...ancestor } = found;
    line.push(ancestor);
    next = parent;
  }
  return line;
};

const lineOf = ({ pid, uid, sinceTicks }: Extract<Peer, { tag: 'known' }>): readonly Ancestor[] => {
  const line = lineFrom(pid, process.pid);
  const [asks, ...above] = line;
  // If the process started after the connection was made, it has reused the pid of the process that
  // connected.
  if (asks === undefined || asks.startTicks > sinceTicks) return [];
  return [{ ...asks, uids: [uid, ...asks.uids] }, ...above];
};

/**
 * Returns the uids of the accounts. An account is left out if it does not exist or if the name service does
 * not answer.
 */
const declaredUids = async (users: readonly string[], ports: TracePorts): Promise<DeclaredUids> => {
  const { privileged, uidOf = declaredUid } = ports;
  const own = process.geteuid?.() ?? 0;
  const named = await Promise.all(
    users.map(async (user) => {
      const uid = privileged ? await uidOf(user).catch(() => undefined) : own;
      return uid === undefined ? [] : [[user, uid] as const];
    }),
  );
  return { own, byUser: Object.fromEntries(named.flat()) };
};

/**
 * Looks up the accounts first, because this may take a while. Then reads all processes at once, without
 * further waiting.
 */
const ancestryOf = async (
  request: RequestId,
  users: readonly string[],
  ports: TracePorts,
): Promise<Ancestry> => {
  const declared = await declaredUids(users, ports);
  const peer = ports.peers.of(request);
  return peer.tag === 'unknown' ? peer : { tag: 'known', line: lineOf(peer), declared };
};

export const traces =
  (ports: TracePorts): Source<'trace'> =>
  ({ request, users }) =>
    defer(async (): Promise<Event> => {
      const ancestry = await ancestryOf(request, users, ports);
      return { type: 'traced', request, ancestry };
    });
