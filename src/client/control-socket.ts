// Finds the control socket of a data directory and the recorded pid of its supervisor.
// Rules: `docs/behaviour.md`, "Control channel", "The place of the socket".
import { isAbsolute } from 'node:path';
import { readAtOnce } from '../os/files/own-file.ts';
import { layoutOf } from '../streams/wire/layout.ts';

const firstLine = (file: string): string | undefined => {
  try {
    return readAtOnce(file).toString().trim() || undefined;
  } catch {
    return undefined;
  }
};

/**
 * Returns the path of the control socket. If the data directory's path is too long for a socket, a file in
 * the data directory contains the path of the socket.
 */
export const controlSocketOf = (dataDir: string): string => {
  const layout = layoutOf(dataDir);
  return firstLine(layout.socketPointer) ?? layout.socket;
};

/** Returns the recorded pid; `undefined` for the name of another machine. */
export const recordedPid = (dataDir: string): number | undefined => {
  if (!isAbsolute(dataDir)) return undefined;
  const pid = Number(firstLine(layoutOf(dataDir).pid));
  return Number.isSafeInteger(pid) && pid > 0 ? pid : undefined;
};
