// What the operating system says when it refuses something (`ENOENT`, `EACCES`, …). Nobody there, or no way to look? A
// process table that cannot be read (too many open files, say) must never pass for an empty one: a service would count
// as stopped while it runs.
import { messageOf } from '../streams/domain/errors/thrown.ts';

/** The code of a refusal; `undefined` when what was thrown is none. */
export const errnoOf = (thrown: unknown): string | undefined =>
  thrown instanceof Error && 'code' in thrown && typeof thrown.code === 'string' ? thrown.code : undefined;

/** The code of a refusal, or what was thrown has to say. */
export const refusalText = (thrown: unknown): string => errnoOf(thrown) ?? messageOf(thrown);

/** There is no such file. */
export const isMissing = (thrown: unknown): boolean => errnoOf(thrown) === 'ENOENT';

/** The process ended before or while it was looked at. */
export const isGone = (thrown: unknown): boolean => ['ENOENT', 'ESRCH'].includes(errnoOf(thrown) ?? '');

/** The process is somebody else's, or closed to us. */
export const isForbidden = (thrown: unknown): boolean => ['EACCES', 'EPERM'].includes(errnoOf(thrown) ?? '');
