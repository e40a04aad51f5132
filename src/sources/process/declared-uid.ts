import { findUid } from '../../os/accounts.ts';
import { machineIds } from '../../os/machine-ids.ts';
import { innerRootUid } from '../../streams/launch/inner-root.ts';

/**
 * Returns the uid of a service's account (`accountNameOf`), or `undefined` if this machine has none. Rejects
 * with `NoAnswer`.
 */
export const declaredUid = async (account: string): Promise<number | undefined> =>
  innerRootUid(account, machineIds()) ?? findUid(account);
