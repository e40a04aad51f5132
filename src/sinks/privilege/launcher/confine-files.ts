// Landlock: from here on only what the rules grant (`docs/manifest.md`, "isolation").
import { closeSync, constants, fstatSync, openSync } from 'node:fs';
import { errnoOf } from '../../../os/errno.ts';
import type { Libc } from '../../../os/libc.ts';
import { addRule, createRuleset, landlockAbi, restrictSelf } from '../../../os/libc/confinement/landlock.ts';
import { grantedRights, handledRights, lostRights } from '../../../streams/launch/landlock.ts';
import type { Skipped } from '../../../streams/domain/service/skipped.ts';
import type { Grant, LandlockRule, Step } from '../../../streams/launch/step.ts';
import { StepRefused } from './step-refused.ts';

/** Opens for naming only: nothing is read, a FIFO is not waited for. */
const O_PATH = 0x20_0000;

/** A program may open its own output anew (`/dev/stdout`). */
const OWN_OUTPUT: readonly LandlockRule[] = [1, 2].map((descriptor) => ({
  path: `/proc/self/fd/${descriptor}`,
  grant: 'write',
  key: 'isolation.landlock',
}));

interface Ruleset {
  readonly libc: Libc;
  readonly descriptor: number;
  readonly handled: bigint;
}

const grantTo = ({ libc, descriptor, handled }: Ruleset, path: number, grant: Grant): void => {
  const rights = grantedRights(grant, handled, fstatSync(path).isDirectory());
  if (rights !== 0n) addRule(libc, descriptor, { path, rights });
};

const add = (ruleset: Ruleset, { path, grant, key }: LandlockRule): void => {
  let opened: number | undefined;
  try {
    opened = openSync(path, O_PATH | constants.O_RDONLY);
    grantTo(ruleset, opened, grant);
  } catch (error) {
    throw new StepRefused(key, `${path}: ${errnoOf(error) ?? String(error)}`);
  } finally {
    if (opened !== undefined) closeSync(opened);
  }
};

const abiOf = (libc: Libc): number => {
  try {
    return landlockAbi(libc);
  } catch (error) {
    throw new StepRefused('isolation.landlock', `this kernel has no Landlock (${errnoOf(error) ?? ''})`);
  }
};

export const confineFiles = (
  libc: Libc,
  { rules, guardsExecution }: Extract<Step, { tag: 'landlock' }>,
): readonly Skipped[] => {
  const abi = abiOf(libc);
  const handled = handledRights(abi, guardsExecution);
  const ruleset = { libc, descriptor: createRuleset(libc, handled), handled };
  for (const rule of [...rules, ...OWN_OUTPUT]) add(ruleset, rule);
  restrictSelf(libc, ruleset.descriptor);
  closeSync(ruleset.descriptor);
  return lostRights(abi).map((lost) => ({
    key: 'isolation.landlock',
    detail: `${lost} (this kernel has Landlock ABI ${abi})`,
  }));
};
