// Identifies the process at the other end of a request: the control server has the connection, and the C
// library asks the kernel.
import { INSTALL_FFI, openLibc, type Libc, type OpenedLibc } from '../../os/libc/libc.ts';
import { credentialsOf } from '../../os/libc/peer.ts';
import type { Peer, Peers } from '../../sources/process/traces.ts';
import { messageOf } from '../../streams/domain/errors/thrown.ts';
import type { RequestId } from '../../streams/domain/ids.ts';
import type { ControlServer } from '../../streams/wire/control-ports.ts';

const TICKS_PER_SECOND = 100;

const unknown = (detail: string): Peer => ({ tag: 'unknown', detail });

/** Returns the client's id, which a request id begins with. */
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

/** Opens the library with the first question. */
export const peersOf = (server: Pick<ControlServer, 'connectionOf'>, ffi: boolean): Peers => {
  let opened: OpenedLibc | undefined;
  const peers: Peers = {
    of(request) {
      const connected = server.connectionOf(clientOf(request));
      if (connected === undefined) return unknown('whoever asked has hung up');
      opened ??= ffi ? openLibc() : { tag: 'absent', detail: 'it was switched off' };
      return asked(opened, connected);
    },
  };
  return peers;
};

/** Returns the uid that connected; `undefined` without the C library or if the connection is gone. */
export const peerUid =
  (libc: Libc | undefined) =>
  (descriptor: number): number | undefined => {
    try {
      return libc === undefined ? undefined : credentialsOf(libc, descriptor).uid;
    } catch {
      return undefined;
    }
  };

/** Peers of a stop without a supervisor: all are unknown. */
export const nobodyAsks: Peers = {
  of: () => unknown('there is no supervisor'),
};
