// Returns the control socket path of a data directory: it must fit into `sun_path`
// (`docs/behaviour.md`, "Control channel").
import { createHash } from 'node:crypto';
import { fitsSocket } from '../../os/files/socket-path.ts';
import type { Layout } from '../../streams/wire/layout.ts';

export interface PlacePorts {
  readonly layout: Layout;
  /** `$XDG_RUNTIME_DIR`, if set. */
  readonly runtimeDir?: string | undefined;
  readonly uid: number;
  /** `--sys`: refuses a path that another user could redirect. */
  readonly sys?: boolean;
}

/** Returns the socket path of a data directory: always the same one, without reading the disk. */
export const socketPlace = ({ layout, runtimeDir: given, uid, sys }: PlacePorts): string => {
  if (fitsSocket(layout.socket)) return layout.socket;
  // Root uses its own: the variable may come from the user that became root.
  const runtimeDir = sys === true ? '/run' : given;
  const hash = createHash('sha256').update(layout.dataDir).digest('hex').slice(0, 16);
  const preferred = runtimeDir === undefined ? undefined : `${runtimeDir}/sup-${hash}/control.sock`;
  return preferred !== undefined && fitsSocket(preferred) ? preferred : `/tmp/sup-${uid}/${hash}.sock`;
};
