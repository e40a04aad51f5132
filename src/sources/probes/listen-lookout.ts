// Notices when a socket begins to listen on the port of a starting service, so that the service is probed at
// that moment. All starting services share one scan of the machine's sockets. While no probe waits for a
// port, there is no scan.
//
// Rules: `docs/behaviour.md`, "Health checks", "A port that begins to listen is probed at once".
//
// Reading the kernel's tables of sockets takes milliseconds, because the kernel walks through a large hash
// table. So most scans read only how many sockets are in use.
import {
  defer,
  filter,
  map,
  NEVER,
  type Observable,
  ReplaySubject,
  type SchedulerLike,
  share,
  take,
  timer,
} from 'rxjs';
import type { Uptime } from '../clocks.ts';
import type { ListeningSockets, CheckedPort } from '../../streams/domain/service/port.ts';
import type { Ms } from '../../streams/domain/time.ts';

interface LookPorts {
  readonly now: Uptime;
  /** Reads the kernel's tables; returns `undefined` if they cannot be read. */
  readonly look: () => ListeningSockets | undefined;
  /** Returns a cheap text that changes with the number of sockets; `undefined` if it cannot be read. */
  readonly countInUse: () => string | undefined;
  /** Returns the processor time that this process has used, ms. */
  readonly cpuTime: () => Ms;
  readonly scheduler?: SchedulerLike;
}

const LOOK_EVERY_MS = 50;
/**
 * The interval at which the tables are read although the number of sockets is the same, ms: a process may
 * have closed one socket and opened another.
 */
const READ_EVERY_MS = 500;
/**
 * The share of a core that reads of the tables may use. If the number of sockets has changed, the tables are
 * read at once, as long as reads have not used over `CREDIT_MS` ms of processor time more than this share.
 */
const SHARE = 0.02;
const CREDIT_MS = 100;

/** Emits the listening sockets at once and when they may have changed. All subscribers share the scans. */
export function listeningLooks({
  now,
  look,
  countInUse,
  cpuTime,
  scheduler,
}: LookPorts): Observable<ListeningSockets> {
  let nextLook = 0;
  let paidUntil = 0;
  return defer(() => {
    let read: { readonly at: number; readonly inUse: string | undefined } | undefined;
    const isNeeded = (at: number, inUse: string | undefined): boolean => {
      if (read === undefined || inUse === undefined || inUse !== read.inUse)
        return paidUntil <= at + CREDIT_MS / SHARE;
      return at >= Math.max(paidUntil, read.at + READ_EVERY_MS);
    };
    const sockets = (): ListeningSockets | undefined => {
      const at = now();
      nextLook = at + LOOK_EVERY_MS;
      const inUse = countInUse();
      if (!isNeeded(at, inUse)) return undefined;
      // Processor time is measured, because on a busy machine most of the elapsed time belongs to other
      // processes.
      const began = cpuTime();
      const found = look();
      paidUntil = Math.max(paidUntil, at) + (cpuTime() - began) / SHARE;
      read = { at, inUse };
      return found;
    };
    return timer(Math.max(0, nextLook - now()), LOOK_EVERY_MS, scheduler).pipe(map(sockets));
  }).pipe(
    filter((found) => found !== undefined),
    // A new subscriber gets the last result at once: a socket may have appeared while an attempt was running
    // and nothing was subscribed for this service.
    share({ connector: () => new ReplaySubject(1) }),
  );
}

interface PortLookout {
  /**
   * Emits once, when a scan finds a socket on the port that was not there at the previous scan. The first
   * scan has no previous scan and causes no emission.
   */
  readonly appeared$: Observable<unknown>;
  /** True if no probe can pass, because nothing listens on the port. */
  readonly isQuiet: () => boolean;
}

/** Watches one port between the probes of one service. Without a port it never emits. */
export const portLookout = (
  listening$: Observable<ListeningSockets>,
  place: CheckedPort | undefined,
): PortLookout => {
  if (place === undefined) return { appeared$: NEVER, isQuiet: () => false };
  let known: readonly string[] | undefined;
  const hasNew = (inodes: readonly string[]): boolean => {
    const before = known;
    known = inodes;
    return before !== undefined && inodes.some((inode) => !before.includes(inode));
  };
  const appeared$ = listening$.pipe(
    map((sockets) => sockets.get(place.port) ?? []),
    filter(hasNew),
    take(1),
  );
  return { appeared$, isQuiet: () => place.isLoopback && known?.length === 0 };
};
