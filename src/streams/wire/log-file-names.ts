// The names of log files. `web.log` is rotated to `web.log.1`, which may be compressed to `web.log.1.gz`.
// Rules: `docs/behaviour.md`, "Output", "Rotation" and "Compressed files".

const COMPRESSED = '.gz';
const INCOMPLETE = '.gz.tmp';

/** Returns the path of a rotated file of a log. */
export const rotatedPath = (log: string, number: number): string => `${log}.${number}`;

/** Returns the path of a rotated file after its compression. */
export const compressedPath = (rotated: string): string => rotated + COMPRESSED;

/**
 * Returns the path of an incomplete compressed copy. `inode`: the inode of the file that is being compressed.
 */
export const copyPath = (log: string, inode: number): string => `${log}.${inode}${INCOMPLETE}`;

/** The parts of the name of a log file. */
export interface LogName {
  /** The name of the active log file. */
  readonly log: string;
  /** `copy`: a compressed copy that is not complete yet. */
  readonly kind: 'active' | 'rotated' | 'compressed' | 'copy';
  /** The number of a rotated file; 0 for the other kinds. */
  readonly number: number;
}

const LOG_NAME = /^(.+\.log)(?:\.(\d+)(\.gz)?(\.tmp)?)?$/;

/** Returns the parts of a file name; `undefined` if it is not the name of a log file. */
export const logNameOf = (name: string): LogName | undefined => {
  const [, log, number, gz, tmp] = LOG_NAME.exec(name) ?? [];
  if (log === undefined || (tmp !== undefined && gz === undefined)) return undefined;
  if (number === undefined) return { log, kind: 'active', number: 0 };
  if (tmp !== undefined) return { log, kind: 'copy', number: 0 };
  return { log, kind: gz === undefined ? 'rotated' : 'compressed', number: Number(number) };
};
