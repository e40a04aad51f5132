// Restricts the calling process. Capabilities (capabilities(7)): every set becomes the declared set, so that
// the capabilities survive the exec for any user. Landlock: the process can use only files and ports that a
// rule grants (`docs/manifest.md`, "isolation").
import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';
import { errnoOf } from '../../../os/errno.ts';
import {
  clearAmbient,
  dropFromBoundingSet,
  inBoundingSet,
  raiseAmbient,
  setCapabilities,
  setGroupId,
  setUndumpable,
  setUserId,
} from '../../../os/libc/credentials.ts';
import {
  addPortRule,
  addRule,
  createRuleset,
  type Handled,
  landlockAbi,
  restrictSelf,
} from '../../../os/libc/landlock-calls.ts';
import type { Libc } from '../../../os/libc/libc.ts';
import type { Skipped } from '../../../streams/domain/service/service-run.ts';
import {
  grantedRights,
  MAKING_DEVICES,
  handledPorts,
  handledRights,
  lostRights,
  portRules,
  PORTS_SINCE,
  scopesOf,
} from '../../../streams/launch/landlock-rights.ts';
import type { FileAccess, LandlockRule, LaunchStep } from '../../../streams/launch/launch-step.ts';

export class StepRefused extends Error {
  readonly key: string;
  /**
   * The errno name of the refusal, such as `EPERM`, by which the plan decides whether to skip the step. If
   * the name is empty, the step is never skipped.
   */
  readonly code: string;

  constructor(key: string, message: string, code = '') {
    super(message);
    this.key = key;
    this.code = code;
  }
}

const MOST = 64;

const permitted = (): bigint => {
  const [, hex = '0'] =
    /^CapPrm:\s+([0-9a-f]+)$/m.exec(readFileSync('/proc/thread-self/status', 'latin1')) ?? [];
  return BigInt(`0x${hex}`);
};

const maskOf = (capabilities: readonly number[]): bigint =>
  capabilities.reduce((mask, capability) => mask | (1n << BigInt(capability)), 0n);

export const keepOnly = (libc: Libc, keep: readonly number[]): void => {
  // After a change of user, capabilities are permitted but not effective. To drop one, CAP_SETPCAP must be
  // effective.
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

/** Makes all permitted capabilities effective again, after a change of the user inside a user namespace. */
export const useCapabilities = (libc: Libc): void => {
  const own = permitted();
  setCapabilities(libc, { effective: own, permitted: own, inheritable: 0n });
};

const ROOT = 0;

/** Becomes root of the user namespace, with all capabilities in it. `group`: changes to group root too. */
export const becomeInnerRoot = (libc: Libc, group: boolean): void => {
  if (group) setGroupId(libc, ROOT);
  setUserId(libc, ROOT);
  setUndumpable(libc);
  const own = permitted();
  setCapabilities(libc, { effective: own, permitted: own, inheritable: 0n });
  clearAmbient(libc);
};

/** A flag of open(2): the descriptor only refers to the path, so opening a FIFO does not block. */
const O_PATH = 0x20_0000;

const OWN = '/proc/self/fd/';
/**
 * EBADFD: the error of Landlock for a rule about an unnamed pipe. Such a pipe lies in no directory and is
 * never restricted.
 */
const IN_NO_DIRECTORY = 'errno 77';

/** Rules that let a program reopen its own output (`/dev/stdout`). */
const OWN_OUTPUT: readonly LandlockRule[] = [1, 2].map((descriptor) => ({
  path: `${OWN}${descriptor}`,
  grant: 'write',
  key: 'isolation.landlock',
}));

interface Ruleset {
  readonly libc: Libc;
  readonly descriptor: number;
  readonly handled: bigint;
}

const grantTo = ({ libc, descriptor, handled }: Ruleset, path: number, grant: FileAccess): void => {
  const rights = grantedRights(grant, handled, fstatSync(path).isDirectory());
  if (rights !== 0n) addRule(libc, descriptor, { path, rights });
};

const add = (ruleset: Ruleset, { path, grant, key }: LandlockRule): void => {
  let opened: number | undefined;
  try {
    opened = openSync(path, O_PATH | constants.O_RDONLY);
    grantTo(ruleset, opened, grant);
  } catch (error) {
    if (path.startsWith(OWN) && errnoOf(error) === IN_NO_DIRECTORY) return;
    throw new StepRefused(key, `${path}: ${errnoOf(error) ?? String(error)}`);
  } finally {
    if (opened !== undefined) closeSync(opened);
  }
};

const abiOf = (libc: Libc, key: string): number => {
  try {
    return landlockAbi(libc);
  } catch (error) {
    const code = errnoOf(error) ?? '';
    throw new StepRefused(key, `this kernel has no Landlock (${code})`, code);
  }
};

const refuseWithoutPorts = (abi: number): void => {
  if (abi >= PORTS_SINCE.abi) return;
  const needs = `ports need ABI ${PORTS_SINCE.abi} (Linux ${PORTS_SINCE.release})`;
  throw new StepRefused('isolation.ports', `this kernel has Landlock ABI ${abi}, and ${needs}`);
};

const lossesOf = (abi: number): readonly Skipped[] =>
  lostRights(abi).map((lost) => ({
    key: 'isolation.landlock',
    detail: `${lost} (this kernel has Landlock ABI ${abi})`,
  }));

type Restriction = Extract<LaunchStep, { tag: 'landlock' }>;

/**
 * Returns the rights to restrict. If the step declares no files, signals are not restricted, and of all
 * rights to files only the right to create devices is restricted, if the step requires that (`isDomain`).
 */
const handledBy = ({ files, ports, isDomain }: Restriction, abi: number): Handled => ({
  files: files === undefined ? (isDomain ? MAKING_DEVICES : 0n) : handledRights(abi, files.guardsExecution),
  ports: ports === undefined ? 0n : handledPorts(ports),
  scopes: files === undefined ? 0n : scopesOf(abi),
});

export const restrict = (libc: Libc, step: Restriction & { readonly key: string }): readonly Skipped[] => {
  const { files, ports = {}, key } = step;
  const abi = abiOf(libc, key);
  const handled = handledBy(step, abi);
  if (handled.ports !== 0n) refuseWithoutPorts(abi);
  const descriptor = createRuleset(libc, handled);
  const ruleset = { libc, descriptor, handled: handled.files };
  for (const rule of files === undefined ? [] : [...files.rules, ...OWN_OUTPUT]) add(ruleset, rule);
  for (const rule of portRules(ports)) addPortRule(libc, descriptor, rule);
  restrictSelf(libc, descriptor);
  closeSync(descriptor);
  return files === undefined ? [] : lossesOf(abi);
};
