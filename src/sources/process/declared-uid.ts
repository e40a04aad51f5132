import { findUid } from '../../os/accounts.ts';
import { machineIds } from '../../os/machine-ids.ts';
import { innerRootUid } from '../../streams/launch/inner-root.ts';

/** The uid of what `accountNameOf` says of a service; `undefined`: this machine has none. Rejects with `NoAnswer`. */
export const declaredUid = async (account: string): Promise<number | undefined> =>
  innerRootUid(account, machineIds()) ?? findUid(account);
