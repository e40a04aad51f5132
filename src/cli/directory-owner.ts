// Only the owner of a data directory acts in it (`docs/security.md`, "Trust"); other users read, and ask a
// supervisor.
import { refuseForeign } from '../sources/store/directory-claim.ts';
import type { Context } from './context.ts';
import { failure } from '../streams/views/errors/command-failure.ts';

/** Throws ERR0701 if the data directory is another user's. */
export const requireOwn = ({ dataDir }: Pick<Context, 'dataDir'>): void => {
  const refusal = refuseForeign(dataDir);
  if (refusal !== undefined) throw failure(refusal);
};
