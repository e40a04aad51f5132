// Error codes of the operating system (`ENOENT`, `EACCES`, …). They tell "no such process" from "cannot
// look". A process table that cannot be read (too many open files, say) must not count as empty: a service
// would count as stopped while it runs.
import { messageOf } from '../streams/domain/errors/thrown.ts';

/** The code of a system error; `undefined` for anything else. */
export const errnoOf = (thrown: unknown): string | undefined =>
  thrown instanceof Error && 'code' in thrown && typeof thrown.code === 'string' ? thrown.code : undefined;

/** The code of a system error, else the message of what was thrown. */
export const refusalText = (thrown: unknown): string => errnoOf(thrown) ?? messageOf(thrown);

/** True if there is no such file. */
export const isMissing = (thrown: unknown): boolean => errnoOf(thrown) === 'ENOENT';

/** True if the process ended before or during the look. */
export const isGone = (thrown: unknown): boolean => ['ENOENT', 'ESRCH'].includes(errnoOf(thrown) ?? '');

/** True if the process belongs to another user, or may not be read. */
export const isForbidden = (thrown: unknown): boolean => ['EACCES', 'EPERM'].includes(errnoOf(thrown) ?? '');
