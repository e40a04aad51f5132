// Sets the five capability sets so that kept capabilities survive the exec, also for a user other than root.
// The bounding set loses all others; every other set becomes the kept ones (capabilities(7)).
import { readFileSync } from 'node:fs';
import type { Libc } from '../../../os/libc.ts';
import { setCapabilities } from '../../../os/libc/confinement/capabilities.ts';
import { setGroupId, setUserId } from '../../../os/libc/confinement/identity.ts';
import {
  clearAmbient,
  dropFromBoundingSet,
  inBoundingSet,
  raiseAmbient,
  setUndumpable,
} from '../../../os/libc/confinement/prctl.ts';

/** Capability sets are 64 bits wide. */
const MOST = 64;

const permitted = (): bigint => {
  const [, hex = '0'] =
    /^CapPrm:\s+([0-9a-f]+)$/m.exec(readFileSync('/proc/thread-self/status', 'latin1')) ?? [];
  return BigInt(`0x${hex}`);
};

const maskOf = (capabilities: readonly number[]): bigint =>
  capabilities.reduce((mask, capability) => mask | (1n << BigInt(capability)), 0n);

export const keepOnly = (libc: Libc, keep: readonly number[]): void => {
  // After a change of user capabilities are permitted but not effective, and dropping from the bounding set
  // needs an effective one.
  const own = permitted();
  setCapabilities(libc, { effective: own, permitted: own, inheritable: 0n });
  for (let capability = 0; capability < MOST; capability += 1)
    if (!keep.includes(capability) && inBoundingSet(libc, capability) === true)
      dropFromBoundingSet(libc, capability);
  const kept = maskOf(keep);
  setCapabilities(libc, { effective: kept, permitted: kept, inheritable: kept });
  clearAmbient(libc);
  for (const capability of keep) raiseAmbient(libc, capability);
};

const ROOT = 0;

/**
 * Becomes root of the user namespace, with the capabilities of any root. What `unshare` made inheritable and
 * ambient, to survive the exec, is cleared. `group`: also becomes its group.
 */
export const becomeInnerRoot = (libc: Libc, group: boolean): void => {
  if (group) setGroupId(libc, ROOT);
  setUserId(libc, ROOT);
  setUndumpable(libc);
  const own = permitted();
  setCapabilities(libc, { effective: own, permitted: own, inheritable: 0n });
  clearAmbient(libc);
};
