// Where the control socket lies. `sun_path` holds 107 bytes: for a longer data directory the socket moves to a short
// private directory, and a pointer file in the data directory says where (`docs/behaviour.md`, "Control channel").
import { chmod, lstat, mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { troubleWithPlace } from '../../os/files/way.ts';
import { type PlacePorts, socketPlace } from './socket-path.ts';

/** Makes the socket's directory and the pointer file where they are needed. Resolves to the path to listen at. */
export const prepareSocketPlace = async (ports: PlacePorts): Promise<string> => {
  const { layout } = ports;
  const path = socketPlace(ports);
  if (path === layout.socket) {
    await rm(layout.socketPointer, { force: true });
    return path;
  }
  await claimDirectory(dirname(path), ports);
  await writeFile(layout.socketPointer, `${path}\n`, { mode: 0o600 });
  return path;
};

/** In a shared `/tmp` somebody else may have made the directory first: then it is not used. */
const claimDirectory = async (directory: string, { uid, sys }: PlacePorts): Promise<void> => {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const found = await lstat(directory);
  if (!found.isDirectory() || found.uid !== uid) {
    throw new Error(`${directory} belongs to somebody else: the control socket cannot be kept there`);
  }
  const trouble = sys === true ? troubleWithPlace(directory) : undefined;
  if (trouble !== undefined) throw new Error(`${directory} cannot keep the control socket: ${trouble}`);
  await chmod(directory, 0o700);
};
