// Identifies the processes that connect to the control socket, by means of the C library, and decides from
// the current services what each of them may do.
import { userInfo } from 'node:os';
import { marksBorn } from '../os/children/rlimit-tag.ts';
import { INSTALL_FFI, type Libc, type OpenedLibc, openLibc } from '../os/libc/libc.ts';
import { credentialsOf } from '../os/sockets/peer.ts';
import type { Judge } from '../sources/control/admission-gate.ts';
import { callerOf } from '../sources/control/connected-process.ts';
import { runOfMark } from '../streams/env/run-tag.ts';
import type { Peer, Peers } from '../sources/process/ancestors-of-caller.ts';
import {
  type AdmissionFacts,
  admit,
  isOpenToAll,
  type Link,
} from '../streams/admission/admit-to-control-socket.ts';
import { messageOf } from '../streams/domain/errors/thrown.ts';
import type { RequestId } from '../streams/domain/ids.ts';
import type { Service } from '../streams/domain/service/service.ts';
import type { OwnUser } from '../streams/launch/confined.ts';
import type { ControlServer } from '../streams/wire/control-ports.ts';

const TICKS_PER_SECOND = 100;

const unknown = (detail: string): Peer => ({ tag: 'unknown', detail });

/** Returns the id of the client, which is the part of the request id before the last `:`. */
const clientOf = (request: RequestId): string => request.slice(0, request.lastIndexOf(':'));

const asked = (opened: OpenedLibc, { descriptor, upSince }: Connected): Peer => {
  if (opened.tag === 'absent')
    return unknown(`the C library cannot be called (${opened.detail}): ${INSTALL_FFI}`);
  try {
    const { pid, uid } = credentialsOf(opened.libc, descriptor);
    return { tag: 'known', pid, uid, sinceTicks: Math.ceil(upSince * TICKS_PER_SECOND) + 1 };
  } catch (error) {
    return unknown(messageOf(error));
  }
};

type Connected = NonNullable<ReturnType<ControlServer['connectionOf']>>;

/** Returns a function that finds the process of a request. Its first call opens the C library. */
export const peersOf = (server: Pick<ControlServer, 'connectionOf'>, ffi: boolean): Peers => {
  let opened: OpenedLibc | undefined;
  const peers: Peers = {
    of(request) {
      const connected = server.connectionOf(clientOf(request));
      if (connected === undefined) return unknown('it has closed the connection');
      opened ??= ffi ? openLibc() : { tag: 'absent', detail: 'it was switched off' };
      return asked(opened, connected);
    },
  };
  return peers;
};

/**
 * Returns a function that returns the uid at the other end of a connection; `undefined` if the C library
 * cannot be called or the connection is closed.
 */
export const peerUid =
  (libc: Libc | undefined) =>
  (descriptor: number): number | undefined => {
    try {
      return libc === undefined ? undefined : credentialsOf(libc, descriptor).uid;
    } catch {
      return undefined;
    }
  };

/**
 * The processes that send requests to a stop without a supervisor: always unknown, because no process can
 * connect.
 */
export const noPeers: Peers = {
  of: () => unknown('there is no supervisor'),
};

/** Returns the user that the supervisor runs as; `name` is absent if its uid has no account. */
const ownUser = (): OwnUser => {
  const uid = process.getuid?.() ?? 0;
  try {
    return { uid, name: userInfo().username };
  } catch {
    return { uid };
  }
};

export interface Judging {
  readonly judge: Judge;
  /**
   * From now on, the services that `services` returns decide about callers, including callers that are
   * already waiting.
   */
  readonly begin: (services: () => readonly Service[]) => void;
}

const namedIn = (dataDir: string, services: readonly Service[]): AdmissionFacts['namedBy'] => {
  const born = marksBorn(
    dataDir,
    services.map(({ spec }) => spec.id),
  );
  return ({ mark, tag }: Link) =>
    [mark, tag === undefined ? undefined : born(tag)].flatMap(
      (one) => (one === undefined ? undefined : runOfMark(one))?.service ?? [],
    );
};

/**
 * Returns the check of callers of the control socket. If `libc` is absent, no caller is identified and no
 * service is confined.
 */
export const judging = (libc: Libc | undefined, dataDir: string): Judging => {
  const own = ownUser();
  let known: (() => readonly Service[]) | undefined;
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return {
    judge: (descriptor) => {
      if (known !== undefined && isOpenToAll({ services: known(), own })) return { tag: 'whole' };
      const caller = callerOf(descriptor, { libc, dataDir });
      const verdict = (): ReturnType<typeof admit> => {
        const services = known?.() ?? [];
        return admit(caller, { services, own, namedBy: namedIn(dataDir, services) });
      };
      return known === undefined ? opened.then(verdict) : verdict();
    },
    begin: (services) => {
      known = services;
      open();
    },
  };
};
