// Selects log files to prune.

export interface PruneLimits {
  /** Milliseconds. */
  readonly maxAge?: number;
  /** Limit for all files together, current ones included. */
  readonly maxBytes?: number;
}

export interface LogFile {
  readonly path: string;
  readonly bytes: number;
  /** Time of the last write. */
  readonly at: number;
  readonly rotated: boolean;
}

/** Files to remove, oldest first. */
export const pruned = (
  files: readonly LogFile[],
  { maxAge = Infinity, maxBytes = Infinity }: PruneLimits,
  now: number,
): readonly LogFile[] => {
  const rotated = files.filter((file) => file.rotated).toSorted((a, b) => a.at - b.at);
  let left = files.reduce((sum, { bytes }) => sum + bytes, 0);
  return rotated.filter(({ at, bytes }) => {
    const goes = now - at > maxAge || left > maxBytes;
    if (goes) left -= bytes;
    return goes;
  });
};
