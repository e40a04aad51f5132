// Only the owner of the data directory may change it (`docs/security.md`, "Trust"). Other users may read it
// if its mode permits, and send requests to its supervisor if they can open the socket.
// Rules: `docs/behaviour.md`, "Names and places".
import { refuseForeign } from '../sources/store/data-directory.ts';
import type { Context } from './context.ts';
import { failure } from '../streams/views/errors/command-failure.ts';

/** Throws ERR0701 if another user owns the data directory. */
export const requireOwn = ({ dataDir }: Pick<Context, 'dataDir'>): void => {
  const refusal = refuseForeign(dataDir);
  if (refusal !== undefined) throw failure(refusal);
};
