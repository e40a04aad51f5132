// The sockets on which runs report their own state (sd_notify): one datagram socket for each run. It is
// opened before the run's process starts. Messages wait in the kernel until this program reads them. An
// upgrade hands the open sockets over. After a crash the next supervisor opens new sockets at the same paths.
//
// A service that floods its socket delays only itself: this program reads a few messages in one turn of the
// event loop, then none for a while, and the kernel makes the senders wait.
// Rules: `docs/behaviour.md`, "Health checks", "The service notifies".
import { chmodSync, chownSync, readdirSync, rmdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { asyncScheduler, Observable, type SchedulerLike } from 'rxjs';
import { makeDirectory } from '../../os/files/directories.ts';
import { INSTALL_FFI, type Libc } from '../../os/libc/libc.ts';
import { datagramReader, openDatagramSocket, type Datagram } from '../../os/sockets/datagram-socket.ts';
import { Readables } from '../../os/sockets/readables.ts';
import { closeSocket } from '../../os/sockets/socket-calls.ts';
import type { RunId, ServiceId } from '../../streams/domain/ids.ts';
import type { NotifySockets } from '../../streams/domain/ports.ts';
import { unitMark } from '../../streams/env/run-tag.ts';
import type { HandedNotifySocket } from '../../streams/upgrade/handover.ts';
import { isNotifySocket, type NotifyPlace } from '../control/socket-place.ts';

/** Number of messages that are read from one socket in one turn of the event loop. */
const MOST_IN_TURN = 32;
/** Time between two readings of one socket, ms. */
const PAUSE_MS = 50;
/**
 * The mode of the directory: other users can open a socket in it by its path, but cannot list the sockets.
 */
const PASSABLE = 0o711;

interface SocketPorts {
  /** Absent if the C library cannot be called. */
  readonly libc: Libc | undefined;
  readonly place: NotifyPlace;
  /** Emits the event `exit` before this process ends. */
  readonly leaving: NodeJS.EventEmitter;
  readonly scheduler?: SchedulerLike;
}

/** The user and group that own a socket. With a gid of -1 the group is not changed. */
interface Owner {
  readonly uid: number;
  readonly gid: number;
}

interface Reading {
  readonly readables: Readables;
  readonly next: (descriptor: number) => Datagram | undefined;
}

const removed = (path: string): void => rmSync(path, { force: true });

/** The open sockets of this supervisor. The C library is needed only when the first socket is opened. */
export class RunSockets implements NotifySockets {
  readonly #ports: SocketPorts;
  readonly #open = new Map<string, number>();
  /**
   * The runs with a socket that this supervisor had to open again, because the supervisor that had opened it
   * was killed.
   */
  readonly #reopened = new Set<string>();
  #reading: Reading | undefined;

  constructor(ports: SocketPorts) {
    this.#ports = ports;
  }

  open(service: ServiceId, run: RunId, owner?: Owner): string {
    const unit = unitMark(service, run);
    this.#opened(unit, owner);
    return this.#ports.place.of(unit);
  }

  close(service: ServiceId, run: RunId): void {
    const unit = unitMark(service, run);
    const descriptor = this.#open.get(unit);
    if (descriptor === undefined) return;
    this.#open.delete(unit);
    this.#reopened.delete(unit);
    this.#reading?.readables.forget(descriptor);
    closeSocket(this.#libc(), descriptor);
    removed(this.#ports.place.of(unit));
    if (this.#open.size === 0) this.#tidy();
  }

  /** Returns the open sockets, for an upgrade. */
  handed(): readonly HandedNotifySocket[] {
    return [...this.#open].map(([unit, descriptor]) => ({ unit, descriptor }));
  }

  /** Adds the open sockets that the previous program handed over in an upgrade. */
  inherit(sockets: readonly HandedNotifySocket[]): void {
    for (const { unit, descriptor } of sockets) this.#open.set(unit, descriptor);
  }

  /**
   * True if this supervisor has opened the socket of the run again, or will do so. The processes of the run
   * may still be connected to the old socket.
   */
  isReopened(service: ServiceId, run: RunId): boolean {
    const unit = unitMark(service, run);
    return this.#reopened.has(unit) || !this.#open.has(unit);
  }

  /**
   * Emits the messages that arrive at the socket of a run. Closes the socket on unsubscribing. If an earlier
   * supervisor opened the socket, opens it again first, owned by `uid`. Fails if the socket cannot be opened.
   */
  sent(service: ServiceId, run: RunId, uid: number | undefined): Observable<readonly Datagram[]> {
    const { scheduler = asyncScheduler } = this.#ports;
    return new Observable((subscriber) => {
      const unit = unitMark(service, run);
      if (!this.#open.has(unit)) this.#reopened.add(unit);
      const descriptor = this.#opened(unit, uid === undefined ? undefined : { uid, gid: -1 });
      const { readables, next } = this.#readingNow();
      readables.watch(descriptor, () => {
        subscriber.add(scheduler.schedule(() => readables.again(descriptor), PAUSE_MS));
        const found = some(() => next(descriptor));
        if (found.length > 0) subscriber.next(found);
      });
      return () => this.close(service, run);
    });
  }

  /**
   * Removes the sockets that killed supervisors have left. Removes the directory, too, if it is not shared
   * and is then empty.
   */
  #tidy(): void {
    const { directory, isShared } = this.#ports.place;
    try {
      readdirSync(directory)
        .filter(isNotifySocket)
        .forEach((name) => removed(join(directory, name)));
      if (!isShared) rmdirSync(directory);
    } catch {
      // The directory stays if it has other files. It may also be missing already.
    }
  }

  #libc(): Libc {
    const { libc } = this.#ports;
    if (libc === undefined) throw new Error(INSTALL_FFI);
    return libc;
  }

  #readingNow(): Reading {
    const libc = this.#libc();
    this.#reading ??= { readables: new Readables(libc, this.#ports.leaving), next: datagramReader(libc) };
    return this.#reading;
  }

  #opened(unit: string, owner: Owner | undefined): number {
    const known = this.#open.get(unit);
    if (known !== undefined) return known;
    const path = this.#ports.place.of(unit);
    makeDirectory(dirname(path), PASSABLE);
    removed(path);
    const descriptor = openDatagramSocket(this.#libc(), path);
    this.#open.set(unit, descriptor);
    chmodSync(path, 0o600);
    if (owner !== undefined) chownSync(path, owner.uid, owner.gid);
    return descriptor;
  }
}

const some = (next: () => Datagram | undefined): readonly Datagram[] => {
  const found: Datagram[] = [];
  for (let datagram = next(); datagram !== undefined; datagram = next()) {
    found.push(datagram);
    if (found.length === MOST_IN_TURN) break;
  }
  return found;
};
