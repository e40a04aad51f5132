// The type of a check of `sup security`, and functions about a process that several checks use.
import { capabilityNumber, CAPABILITIES } from '../../launch/capability-steps.ts';
import type { ProcessConfinement, ProcessMount } from '../../domain/service/process-confinement.ts';
import type { DeclaredConfinement } from './declared-confinement.ts';

/** How open something is, from 0 (closed) to 1 (open); `undefined` if this is not known. */
export type Openness = number | undefined;

export interface LivingProcess {
  readonly process: ProcessConfinement;
  /** The uid of the supervisor. */
  readonly ownUid: number;
}

export interface SecurityCheck {
  /** The id of the check, for scripts. */
  readonly id: string;
  /** What users read if the check is open, in at most 46 columns. */
  readonly open: string;
  readonly weight: number;
  readonly declared: (confinement: DeclaredConfinement) => Openness;
  /** Returns the openness that the kernel shows for a process; `undefined` if the kernel does not show it. */
  readonly living: (living: LivingProcess) => Openness;
  /** One line for a service in a manifest that closes the check. The line may depend on the declaration. */
  readonly fix: string | ((confinement: DeclaredConfinement) => string);
}

/** Returns the openness of something that can only be open or closed. */
export const openIf = (isOpen: boolean): number => (isOpen ? 1 : 0);

/** Returns the openness that follows from the fact; `undefined` if the fact is not known. */
export const ifKnown = <T>(fact: T | undefined, openness: (fact: T) => Openness): Openness =>
  fact === undefined ? undefined : openness(fact);

/** Returns `undefined`, for a check that Linux shows no result of. */
export const notShown = (): Openness => undefined;

/** Returns the numbers of capabilities. The names are separated by spaces and without `CAP_`. */
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

/** Returns the last mount at exactly this path, because it covers earlier mounts at the path. */
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
