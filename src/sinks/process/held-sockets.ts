// Listening sockets that the supervisor keeps open between the runs that accept from them
// (`docs/deployments.md`, "Held sockets"): opened for the first run, inherited by each run, closed when the
// service is at rest. The instances of a service with `replicas` share them. If a supervisor has died, the
// next supervisor duplicates the sockets from the running service.
// Rules: `docs/behaviour.md`, "Instances", "Held sockets".
import { readdirSync, readlinkSync } from 'node:fs';
import { errnoOf, isMissing } from '../../os/errno.ts';
import { refuseUnsafeWriting } from '../../os/files/trusted-directories.ts';
import { INSTALL_FFI, openLibc, type Libc, type OpenedLibc } from '../../os/libc/libc.ts';
import { clearAway, descriptorOf, listenOn, listensAt } from '../../os/sockets/listening-sockets.ts';
import { closeSocket } from '../../os/sockets/socket-calls.ts';
import { groupOf, type ServiceId } from '../../streams/domain/ids.ts';
import type { HandedSocket } from '../../streams/upgrade/handover.ts';
import type { ListenPlace } from '../../streams/domain/service/port.ts';
import type { ProcessRef } from '../../streams/domain/service/process.ts';
import type { Service } from '../../streams/domain/service/service.ts';
import type { ServiceSpec, SocketSpec } from '../../streams/domain/declared/spec.ts';
import { messageOf } from '../../streams/domain/errors/thrown.ts';
import type { ChildPlan } from './start-by-node.ts';

const placeOf = ({ listen }: SocketSpec): string =>
  listen.tag === 'tcp' ? `${listen.host}:${listen.port}` : listen.path;

const WIDE: ReadonlySet<string> = new Set(['0.0.0.0', '::']);

const takenPlace = (listen: SocketSpec['listen']): ListenPlace => {
  if (listen.tag === 'unix') return { path: listen.path };
  const { host, port } = listen;
  return WIDE.has(host) ? { port } : { port, address: host };
};

/** Thrown if an address cannot be opened: it is in use or not permitted. */
export class SocketNotOpened extends Error {
  /** The address or path that could not be opened, if another process uses it. */
  readonly taken?: ListenPlace;

  constructor(socket: SocketSpec, cause: unknown) {
    super(`${placeOf(socket)} cannot be opened (${messageOf(cause)})`, { cause });
    const { listen } = socket;
    if (errnoOf(cause) === 'EADDRINUSE') this.taken = takenPlace(listen);
  }
}

const isSocket = (link: string): boolean => {
  try {
    return readlinkSync(link).startsWith('socket:');
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
};

/** Returns the descriptors of a process that are sockets. The process may close some at any time. */
const socketsOf = (pid: number): readonly number[] => {
  const directory = `/proc/${pid}/fd`;
  return readdirSync(directory)
    .filter((name) => isSocket(`${directory}/${name}`))
    .map(Number);
};

/** True if the sockets of the service can be closed: it has stopped, has given up, or is a casualty. */
const isAtRest = ({ actual, rollout }: Service): boolean =>
  rollout === undefined && (actual.tag === 'down' || actual.tag === 'broken' || actual.tag === 'casualty');

/** Returns the addresses and paths of the sockets that the runs of the service have or will have. */
const placesOf = ({ spec, revised, rollout }: Service): readonly string[] =>
  [spec, revised, rollout?.other.spec].flatMap((each) => (each?.sockets ?? []).map(placeOf));

/** Returns a duplicate of another process's descriptor; `undefined` if the process closed it meanwhile. */
const copyOf = (libc: Libc, pid: number, descriptor: number): number | undefined => {
  try {
    return descriptorOf(libc, pid, descriptor);
  } catch (error) {
    if (errnoOf(error) === 'EBADF') return undefined;
    throw error;
  }
};

export class HeldSockets {
  /** For each service, or group of instances: the open sockets, by address or path. */
  readonly #held = new Map<ServiceId, Map<string, number>>();
  /** For each group: the addresses and paths that each instance needs. */
  readonly #needs = new Map<ServiceId, Map<ServiceId, ReadonlySet<string>>>();
  readonly #logError: (text: string) => void;
  #opened: OpenedLibc | undefined;

  constructor(logError: (text: string) => void) {
    this.#logError = logError;
  }

  /** Returns the sockets of the service in declared order, opened if necessary. Throws on failure. */
  take({ id, sockets = [] }: ServiceSpec): readonly number[] {
    this.#need(id, sockets.map(placeOf));
    return sockets.map((socket) => {
      const known = this.#of(id).get(placeOf(socket));
      if (known !== undefined) return known;
      const opened = this.#open(socket);
      this.#of(id).set(placeOf(socket), opened);
      return opened;
    });
  }

  /** Returns all held sockets, for an upgrade. A shared socket is listed once for each instance. */
  handed(): readonly HandedSocket[] {
    return [...this.#needs].flatMap(([group, needs]) =>
      [...needs].flatMap(([service, places]) =>
        [...places].flatMap((place): readonly HandedSocket[] => {
          const descriptor = this.#held.get(group)?.get(place);
          return descriptor === undefined ? [] : [{ service, place, descriptor }];
        }),
      ),
    );
  }

  /** Adds the sockets that the program before a re-exec had opened in this process. */
  inherit(sockets: readonly HandedSocket[]): void {
    for (const { service, place, descriptor } of sockets) {
      this.#of(service).set(place, descriptor);
      this.#need(service, [...(this.#needs.get(groupOf(service))?.get(service) ?? []), place]);
    }
  }

  /** True if a socket that the service declares is not held here. */
  lacks({ id, sockets = [] }: ServiceSpec): boolean {
    return sockets.some((socket) => this.#held.get(groupOf(id))?.has(placeOf(socket)) !== true);
  }

  /** Duplicates declared sockets from a process that outlived its supervisor. Warns on failure. */
  adopt({ id, sockets = [] }: ServiceSpec, { pid }: ProcessRef): void {
    if (sockets.length === 0) return;
    this.#need(id, sockets.map(placeOf));
    try {
      this.#takeBack(id, sockets, pid);
    } catch (error) {
      if (isMissing(error)) return;
      this.#logError(
        `the sockets of ${id} cannot be taken back from pid ${pid} (${messageOf(error)}): it cannot be rolled until it was stopped`,
      );
    }
  }

  /** Closes sockets that the service, after a change, no longer needs. */
  follow(id: ServiceId, service: Service | undefined): void {
    const group = groupOf(id);
    if (!this.#held.has(group) && !this.#needs.has(group)) return;
    this.#need(id, service === undefined || isAtRest(service) ? [] : placesOf(service));
    this.#closeUnneeded(group);
  }

  #closeUnneeded(group: ServiceId): void {
    const held = this.#held.get(group) ?? new Map<string, number>();
    const needed = new Set([...(this.#needs.get(group)?.values() ?? [])].flatMap((places) => [...places]));
    for (const [place, descriptor] of held)
      if (!needed.has(place)) {
        held.delete(place);
        this.#close(place, descriptor);
      }
    if (held.size === 0) this.#held.delete(group);
  }

  #need(id: ServiceId, places: readonly string[]): void {
    const group = groupOf(id);
    const needs = this.#needs.get(group) ?? new Map<ServiceId, ReadonlySet<string>>();
    if (places.length === 0) needs.delete(id);
    else needs.set(id, new Set(places));
    if (needs.size === 0) this.#needs.delete(group);
    else this.#needs.set(group, needs);
  }

  #of(id: ServiceId): Map<string, number> {
    const group = groupOf(id);
    const known = this.#held.get(group) ?? new Map<string, number>();
    this.#held.set(group, known);
    return known;
  }

  #open(socket: SocketSpec): number {
    const libc = this.#libc();
    try {
      if (socket.listen.tag === 'unix') refuseUnsafeWriting(socket.listen.path);
      return listenOn(libc, socket.listen, socket.backlog);
    } catch (error) {
      throw new SocketNotOpened(socket, error);
    }
  }

  /** Closes a socket for good. Removes its path unless a process still listens there. */
  #close(place: string, descriptor: number): void {
    const libc = this.#libc();
    closeSocket(libc, descriptor);
    if (!place.startsWith('/')) return;
    try {
      refuseUnsafeWriting(place);
      clearAway(libc, { tag: 'unix', path: place });
    } catch (error) {
      this.#logError(`the socket ${place} cannot be removed (${messageOf(error)})`);
    }
  }

  #takeBack(id: ServiceId, sockets: readonly SocketSpec[], pid: number): void {
    const libc = this.#libc();
    for (const number of socketsOf(pid)) {
      const copy = copyOf(libc, pid, number);
      if (copy === undefined) continue;
      const socket = sockets.find(({ listen }) => listensAt(libc, copy, listen));
      if (socket === undefined || this.#of(id).has(placeOf(socket))) closeSocket(libc, copy);
      else this.#of(id).set(placeOf(socket), copy);
    }
  }

  #libc(): Libc {
    this.#opened ??= openLibc();
    if (this.#opened.tag === 'absent') throw new Error(`${this.#opened.detail}; ${INSTALL_FFI}`);
    return this.#opened.libc;
  }
}

const AS_LISTENER = 'export LISTEN_PID=$$; exec "$@"';

/** Wraps the plan in a shell that sets `LISTEN_PID` and executes the program with the same pid. */
export const asListener = (plan: ChildPlan): ChildPlan => ({
  ...plan,
  argv: ['/bin/sh', '-c', AS_LISTENER, 'sh', ...plan.argv],
});

const listenVariables = (sockets: readonly SocketSpec[]): Readonly<Record<string, string>> => ({
  LISTEN_FDS: String(sockets.length),
  LISTEN_FDNAMES: sockets.map(({ name }) => name).join(':'),
});

/**
 * Returns the plan of a program that gets its sockets from descriptor 3 on, as under systemd. Throws if a
 * socket cannot be opened.
 */
export const withSockets = (held: HeldSockets, spec: ServiceSpec, plan: ChildPlan): ChildPlan => ({
  ...plan,
  environment: { ...plan.environment, ...listenVariables(spec.sockets ?? []) },
  descriptors: held.take(spec),
});
