// The path of the control socket. A socket path has at most 107 bytes (`sun_path`). If the path in the data
// directory is longer, the socket is in a short private directory, and a pointer file has its path
// (`docs/behaviour.md`, "Control channel", "The place of the socket").
import { createHash } from 'node:crypto';
import { closeSync, constants, fchmodSync, lstatSync, openSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fitsSocket, makeDirectory } from '../../os/files/directories.ts';
import { readAtOnce } from '../../os/files/own-file.ts';
import { troubleWithPlace, troubleWithRootsPlace } from '../../os/files/trusted-directories.ts';
import { replaceFile } from '../../os/files/replace-file.ts';
import type { SupError } from '../../streams/domain/errors/error.ts';
import { messageOf } from '../../streams/domain/errors/thrown.ts';
import { type Layout, layoutOf } from '../../streams/wire/layout.ts';

export interface PlacePorts {
  readonly layout: Layout;
  /** The value of `$XDG_RUNTIME_DIR`, if it is set. */
  readonly runtimeDir?: string | undefined;
  readonly uid: number;
  /** True for `--sys`: then a path that another user could redirect is refused. */
  readonly sys?: boolean;
}

const hashOf = (dataDir: string): string => createHash('sha256').update(dataDir).digest('hex').slice(0, 16);

/**
 * Returns the path of the control socket for a data directory. The result depends only on `ports`, not on
 * files.
 */
export const socketPlace = ({ layout, runtimeDir: given, uid, sys }: PlacePorts): string => {
  if (fitsSocket(layout.socket)) return layout.socket;
  // A privileged supervisor always uses `/run`: it must not trust `XDG_RUNTIME_DIR`, which the user that
  // became root may have set.
  const runtimeDir = sys === true ? '/run' : given;
  const hash = hashOf(layout.dataDir);
  const preferred = runtimeDir === undefined ? undefined : `${runtimeDir}/sup-${hash}/control.sock`;
  return preferred !== undefined && fitsSocket(preferred) ? preferred : `/tmp/sup-${uid}/${hash}.sock`;
};

/**
 * Returns the path of the service socket. With `sys` the socket is in `/run`, where only root can write and
 * services of other users can connect to it. Otherwise it is in the data directory or, if that path is too
 * long, in `/tmp`.
 */
export const serviceSocketPath = (dataDir: string, { sys }: { readonly sys: boolean }): string => {
  if (sys) return `/run/sup-spawn-${hashOf(dataDir)}.sock`;
  const path = layoutOf(dataDir).serviceSocket;
  return fitsSocket(path) ? path : `/tmp/sup-run-${hashOf(dataDir)}/sup.sock`;
};

/** Creates the directory of the service socket, and returns the path to listen at. Throws if that fails. */
export const prepareServiceSocket = (ports: PlacePorts): string => {
  const path = serviceSocketPath(ports.layout.dataDir, { sys: ports.sys === true });
  if (ports.sys !== true) claimDirectory(dirname(path), ports);
  return path;
};

/**
 * The number of characters of the hash in the name of a notification socket. With this number the path is as
 * long as the path of the service socket, so it fits into `sun_path`, too.
 */
const NAME_LENGTH = 7;

/** True for the name of a socket on which a run reports its state. */
export const isNotifySocket = (name: string): boolean => /^n[\w-]{7}$/.test(name);

/** The place of the sockets on which runs report their state. */
export interface NotifyPlace {
  readonly directory: string;
  /** True if the directory has other files too. */
  readonly isShared: boolean;
  /** Returns the path of the socket of a run. The same run always gets the same path. */
  readonly of: (unit: string) => string;
}

/**
 * Returns the place of the sockets on which runs report their state: the directory of the service socket,
 * because confined services can reach it. With `sys` it is a directory of its own below `/run`.
 */
export const notifyPlace = ({ layout: { dataDir }, sys = false }: PlacePorts): NotifyPlace => {
  const directory = sys ? `/run/sup-notify-${hashOf(dataDir)}` : dirname(serviceSocketPath(dataDir, { sys }));
  const of = (unit: string): string => {
    const hash = createHash('sha256').update(`${dataDir} ${unit}`).digest('base64url');
    return `${directory}/n${hash.slice(0, NAME_LENGTH)}`;
  };
  return { directory, isShared: !sys, of };
};

/**
 * Creates the directory of the control socket and the pointer file, if they are needed. Resolves to the path
 * to listen at.
 */
export const prepareSocketPlace = async (ports: PlacePorts): Promise<string> => {
  const { layout } = ports;
  const path = socketPlace(ports);
  if (path === layout.socket) {
    await rm(layout.socketPointer, { force: true });
    return path;
  }
  claimDirectory(dirname(path), ports);
  replaceFile(layout.socketPointer, `${path}\n`, { backup: false, lasting: 'nothing' });
  return path;
};

const isPointedAt = (file: string, path: string): boolean => {
  try {
    return readAtOnce(file).toString() === `${path}\n`;
  } catch {
    return false;
  }
};

/** If the pointer file was removed or changed, creates it and the socket's directory again. */
export const mendSocketPlace = async (ports: PlacePorts): Promise<void> => {
  const { layout } = ports;
  const path = socketPlace(ports);
  if (path !== layout.socket && !isPointedAt(layout.socketPointer, path)) await prepareSocketPlace(ports);
};

/**
 * Creates the separate directory of the control socket, if it needs one. Returns ERR0701 if the directory
 * cannot be used.
 */
export const claimSocketPlace = (ports: PlacePorts): SupError | undefined =>
  atItsPlace(ports, (directory) => claimDirectory(directory, ports));

/**
 * Checks the separate directory of the control socket, if it exists. Returns ERR0701 if it cannot be used.
 */
export const refuseSocketPlace = (ports: PlacePorts): SupError | undefined =>
  atItsPlace(ports, (directory) => refuseOthers(directory, ports));

const atItsPlace = (ports: PlacePorts, look: (directory: string) => void): SupError | undefined => {
  const path = socketPlace(ports);
  if (path === ports.layout.socket) return undefined;
  const directory = dirname(path);
  try {
    look(directory);
    return undefined;
  } catch (error) {
    return { code: 'ERR0701', file: directory, detail: messageOf(error) };
  }
};

const claimDirectory = (directory: string, ports: PlacePorts): void => {
  refuseOthers(directory, ports);
  makeDirectory(directory, 0o700);
  // Another process may have created the directory in between, so check again.
  refuseOthers(directory, ports);
  close(directory);
};

/** Makes the directory private (mode 0700). Fails if the path is a symbolic link. */
const close = (directory: string): void => {
  const { O_RDONLY, O_DIRECTORY, O_NOFOLLOW } = constants;
  const descriptor = openSync(directory, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
  try {
    fchmodSync(descriptor, 0o700);
  } finally {
    closeSync(descriptor);
  }
};

const WHY =
  'a socket of the supervisor lies there, for which the path of the data directory is too long; XDG_RUNTIME_DIR or a shorter SUP_DATA_DIR moves it';

/** Throws if another user owns the directory or could redirect its path, as can happen in a shared `/tmp`. */
const refuseOthers = (directory: string, { uid, sys }: PlacePorts): void => {
  const found = lstatSync(directory, { throwIfNoEntry: false });
  if (found?.isDirectory() === false) throw new Error(`it is no directory: ${WHY}`);
  if (found !== undefined && found.uid !== uid)
    throw new Error(`it belongs to user ${found.uid}, and this is user ${uid}: ${WHY}`);
  const trouble = sys === true ? troubleWithPlace(directory) : troubleWithRootsPlace(directory);
  if (trouble !== undefined) throw new Error(`${trouble}: ${WHY}`);
};
