// Which files of logs are too much.

export interface PruneLimits {
  /** Milliseconds. */
  readonly maxAge?: number;
  /** Of all files together, those that are written to included. */
  readonly maxBytes?: number;
}

export interface LogFile {
  readonly path: string;
  readonly bytes: number;
  /** When it was written to last. */
  readonly at: number;
  readonly rotated: boolean;
}

/** Which of these files go, oldest first. */
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
