// The type of a check of `sup security`, and functions about a process that several checks use.
import { capabilityNumber, CAPABILITIES } from '../../launch/capability-steps.ts';
import type { ProcessConfinement, ProcessMount } from '../../domain/service/process-confinement.ts';
import type { DeclaredConfinement } from './declared-confinement.ts';

/**
 * The openness of a checked thing: a number from 0 (closed) to 1 (open), or `undefined` if it is not known.
 */
export type Openness = number | undefined;

export interface LivingProcess {
  readonly process: ProcessConfinement;
  /** The uid of the supervisor. */
  readonly ownUid: number;
}

export interface SecurityCheck {
  /** The id by which scripts find the check. */
  readonly id: string;
  /** The text that users read if the check is open, at most 46 columns wide. */
  readonly open: string;
  readonly weight: number;
  readonly declared: (confinement: DeclaredConfinement) => Openness;
  /** Returns the openness for a living process; `undefined` if Linux does not show it. */
  readonly living: (living: LivingProcess) => Openness;
  /** The manifest line that closes the check for a service. The line may depend on the declaration. */
  readonly fix: string | ((confinement: DeclaredConfinement) => string);
}

/** Returns the openness of a thing that is either open or closed, and never partly open. */
export const openIf = (isOpen: boolean): number => (isOpen ? 1 : 0);

/** Returns `openness(fact)`; `undefined` if the fact is not known. */
export const ifKnown = <T>(fact: T | undefined, openness: (fact: T) => Openness): Openness =>
  fact === undefined ? undefined : openness(fact);

/** Returns `undefined`. It is for checks with a result that Linux does not show. */
export const notShown = (): Openness => undefined;

/** Returns the numbers of the named capabilities. `names`: names without `CAP_`, separated by spaces. */
export const numbersOf = (names: string): readonly number[] =>
  names.split(/\s+/).flatMap((name) => capabilityNumber(name) ?? []);

const numbersIn = (set: bigint): readonly number[] =>
  Array.from({ length: CAPABILITIES }, (_, number) => number).filter(
    (number) => ((set >> BigInt(number)) & 1n) === 1n,
  );

type CapabilitySet = keyof NonNullable<ProcessConfinement['capabilities']>;

/**
 * Returns the capabilities in this set that the process has on the machine. A process in a user namespace of
 * its own has none. The result is `undefined` if the set is unknown, or if the set is not empty and the
 * namespace is unknown.
 */
export const capabilitiesOf = (
  { capabilities, namespaces }: ProcessConfinement,
  set: CapabilitySet,
): readonly number[] | undefined => {
  if (namespaces?.user === true) return [];
  const numbers = capabilities && numbersIn(capabilities[set]);
  return numbers?.length === 0 || namespaces?.user === false ? numbers : undefined;
};

/**
 * Returns the mount at exactly this path. If there are several, returns the last one, which covers the
 * others.
 */
export const mountAt = (mounts: readonly ProcessMount[], path: string): ProcessMount | undefined =>
  mounts.findLast((mount) => mount.path === path);

/** Returns the mount that contains this path. */
export const mountOf = (mounts: readonly ProcessMount[], path: string): ProcessMount | undefined => {
  const above = mounts.filter(
    (mount) => path === mount.path || path.startsWith(mount.path === '/' ? '/' : `${mount.path}/`),
  );
  const longest = Math.max(...above.map((mount) => mount.path.length));
  return above.findLast((mount) => mount.path.length === longest);
};
