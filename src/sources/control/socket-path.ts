// Which path the control socket of a data directory has: it must fit into `sun_path` (`docs/behaviour.md`, "Control
// channel").
import { createHash } from 'node:crypto';
import type { Layout } from '../../streams/wire/layout.ts';

/** Bytes a socket's path may have on Linux. */
const LONGEST_SOCKET_PATH = 107;

export interface PlacePorts {
  readonly layout: Layout;
  /** `$XDG_RUNTIME_DIR`, when it is set. */
  readonly runtimeDir?: string | undefined;
  readonly uid: number;
  /** `--sys`: a place whose way somebody else may turn is not used. */
  readonly sys?: boolean;
}

const fits = (path: string): boolean => Buffer.byteLength(path) <= LONGEST_SOCKET_PATH;

/** The path of the socket for a data directory: the same each time, and without touching the disk. */
export const socketPlace = ({ layout, runtimeDir: given, uid, sys }: PlacePorts): string => {
  if (fits(layout.socket)) return layout.socket;
  // Root's own: the variable may be of the user who became root.
  const runtimeDir = sys === true ? '/run' : given;
  const hash = createHash('sha256').update(layout.dataDir).digest('hex').slice(0, 16);
  const preferred = runtimeDir === undefined ? undefined : `${runtimeDir}/sup-${hash}/control.sock`;
  return preferred !== undefined && fits(preferred) ? preferred : `/tmp/sup-${uid}/${hash}.sock`;
};
