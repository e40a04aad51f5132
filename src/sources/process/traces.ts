// Who asks for a child: the process at the other end of the control socket, as the kernel tells, and all its ancestors
// (`docs/behaviour.md`, "Children that a service asks for"). Whose they are is decided elsewhere.
import { readFileSync } from 'node:fs';
import { defer, of } from 'rxjs';
import { statOf } from '../../os/proc/proc-stat.ts';
import type { Event } from '../../streams/domain/event.ts';
import type { RequestId } from '../../streams/domain/ids.ts';
import type { Source } from '../../streams/domain/ports.ts';
import type { Ancestor, Ancestry } from '../../streams/domain/service/child.ts';

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

const uidOf = (pid: number): number => {
  const [, uid] = /^Uid:\s+\d+\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1')) ?? [];
  return Number(uid);
};

/** `undefined`: it is gone, or cannot be looked at. */
const ancestorOf = (pid: number): (Ancestor & { readonly parent: number }) | undefined => {
  try {
    const stat = statOf(pid);
    if (stat === undefined || stat.zombie) return undefined;
    return { pid, startTicks: stat.startTicks, uid: uidOf(pid), parent: stat.parent };
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

const ancestryOf = (peer: Peer): Ancestry => {
  if (peer.tag === 'unknown') return peer;
  const line = lineFrom(peer.pid, process.pid);
  const [asks, ...above] = line;
  // Its pid may be somebody else's by now, who was born after the connection was made.
  if (asks === undefined || asks.startTicks > peer.sinceTicks) return { tag: 'known', line: [] };
  return { tag: 'known', line: [{ ...asks, uid: peer.uid }, ...above] };
};

export const traces =
  (peers: Peers): Source<'trace'> =>
  ({ request }) =>
    defer(() => of<Event>({ type: 'traced', request, ancestry: ancestryOf(peers.of(request)) }));
