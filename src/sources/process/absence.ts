// Nobody there, or no way to look? A process table that cannot be read (too many open files, say) must never pass for
// an empty one: a service would count as stopped while it runs.

const GONE: readonly unknown[] = ['ENOENT', 'ESRCH'];
const NOT_FOR_US: readonly unknown[] = ['EACCES', 'EPERM'];

/** The process ended before or while it was looked at. */
export const isGone = (error: unknown): boolean => GONE.includes(codeOf(error));

/** The process is somebody else's, or closed to us. */
export const isForbidden = (error: unknown): boolean => NOT_FOR_US.includes(codeOf(error));

const codeOf = (error: unknown): unknown =>
  error instanceof Error && 'code' in error ? error.code : undefined;
