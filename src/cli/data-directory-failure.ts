// If the file system refuses something below the data directory, that is no bug of ours, whichever command
// met it.
import { errnoOf } from '../os/errno.ts';
import { messageOf } from '../streams/domain/errors/thrown.ts';
import { failure } from '../streams/views/errors/failure.ts';

const placeOf = (thrown: unknown): string | undefined =>
  thrown instanceof Error && 'path' in thrown && typeof thrown.path === 'string' ? thrown.path : undefined;

/** Returns ERR0701 for a file of the data directory that cannot be used, and any other error as it is. */
export const dataDirectoryFailure = (thrown: unknown, dataDir: string): unknown => {
  const file = placeOf(thrown);
  const isBelow = file === dataDir || file?.startsWith(`${dataDir}/`) === true;
  if (!isBelow || errnoOf(thrown) === undefined) return thrown;
  return failure({ code: 'ERR0701', file, detail: messageOf(thrown) });
};
