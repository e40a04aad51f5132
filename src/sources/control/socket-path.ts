// Which path the control socket of a data directory has: it must fit into `sun_path` (`docs/behaviour.md`, "Control
// channel").
import { createHash } from 'node:crypto';
import { fitsSocket } from '../../os/files/socket-path.ts';
import type { Layout } from '../../streams/wire/layout.ts';

export interface PlacePorts {
  readonly layout: Layout;
  /** `$XDG_RUNTIME_DIR`, when it is set. */
  readonly runtimeDir?: string | undefined;
  readonly uid: number;
  /** `--sys`: a place whose way somebody else may turn is not used. */
  readonly sys?: boolean;
}

/** The path of the socket for a data directory: the same each time, and without touching the disk. */
export const socketPlace = ({ layout, runtimeDir: given, uid, sys }: PlacePorts): string => {
  if (fitsSocket(layout.socket)) return layout.socket;
  // Root's own: the variable may be of the user who became root.
  const runtimeDir = sys === true ? '/run' : given;
  const hash = createHash('sha256').update(layout.dataDir).digest('hex').slice(0, 16);
  const preferred = runtimeDir === undefined ? undefined : `${runtimeDir}/sup-${hash}/control.sock`;
  return preferred !== undefined && fitsSocket(preferred) ? preferred : `/tmp/sup-${uid}/${hash}.sock`;
};
