// Who asks for a child: the process at the other end of the control socket, as the kernel tells, and all its ancestors
// (`docs/behaviour.md`, "Children that a service asks for"). Whose they are is decided elsewhere.
import { defer } from 'rxjs';
import { declaredUid } from './declared-uid.ts';
import { confinementOf, uidsOf } from '../../os/proc/confinement.ts';
import { startTicksOf, statOf } from '../../os/proc/proc-stat.ts';
import type { Event } from '../../streams/domain/event.ts';
import type { RequestId } from '../../streams/domain/ids.ts';
import type { Source } from '../../streams/domain/ports.ts';
import type { Ancestor, Ancestry, DeclaredUids } from '../../streams/domain/service/ancestry.ts';

/** Who is at the other end of a request's connection. */
export type Peer =
  | { readonly tag: 'known'; readonly pid: number; readonly uid: number; readonly sinceTicks: number }
  | { readonly tag: 'unknown'; readonly detail: string };

export interface Peers {
  /** Of a request that has not been answered. */
  of(request: RequestId): Peer;
}

/** More generations than a service has. */
const MOST = 256;

/** Where they run that ask, and as whom. */
export interface TracePorts {
  readonly peers: Peers;
  /** With `--sys` a service runs as the `user` of its manifest; else as the supervisor. */
  readonly privileged: boolean;
  /** The uid of an account; `undefined` if there is none of that name. */
  readonly uidOf?: (user: string) => Promise<number | undefined>;
}

const confinementIfReadable = (pid: number): Pick<Ancestor, 'confinement'> => {
  try {
    return { confinement: confinementOf(pid) };
  } catch {
    return {};
  }
};

/** `undefined`: it is gone, or cannot be read. A pid that changed hands meanwhile has another start time. */
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

/** From the process upwards, until the first of the machine or the supervisor itself. */
const lineFrom = (pid: number, self: number): readonly Ancestor[] => {
  const line: Ancestor[] = [];
  let next = pid;
  while (next > 1 && next !== self && line.length < MOST) {
    const found = ancestorOf(next);
    // Nobody is younger than its child: that is somebody else, who was given the pid of one that is gone.
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
  // Its pid may be somebody else's by now, who was born after the connection was made.
  if (asks === undefined || asks.startTicks > sinceTicks) return [];
  return [{ ...asks, uids: [uid, ...asks.uids] }, ...above];
};

/** A name service that does not answer knows no account. */
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

/** Accounts first, since that may take a while: the processes are read when nothing is waited for any more. */
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
