// What a check of `sup security` is, and readings of a process that several checks share.
import { capabilityNumber, CAPABILITIES } from '../../launch/capability-steps.ts';
import type { ProcessConfinement, ProcessMount } from '../../domain/service/process-confinement.ts';
import type { DeclaredConfinement } from './declared-confinement.ts';

/** How open something is, from 0 (closed) to 1 (open); `undefined` if that is not known. */
export type Openness = number | undefined;

export interface LivingProcess {
  readonly process: ProcessConfinement;
  /** The uid of the supervisor. */
  readonly ownUid: number;
}

export interface SecurityCheck {
  /** A word for scripts. */
  readonly id: string;
  /** What is the case if it is open, in at most 46 columns. */
  readonly open: string;
  readonly weight: number;
  readonly declared: (confinement: DeclaredConfinement) => Openness;
  /** By what the kernel says; `undefined` if it does not say. */
  readonly living: (living: LivingProcess) => Openness;
  /** One line of a manifest, in a service, that closes it; perhaps another one if something is declared. */
  readonly fix: string | ((confinement: DeclaredConfinement) => string);
}

/** Returns the openness of something that is either open or closed. */
export const openIf = (isOpen: boolean): number => (isOpen ? 1 : 0);

/** Returns the openness if the fact is known. */
export const ifKnown = <T>(fact: T | undefined, openness: (fact: T) => Openness): Openness =>
  fact === undefined ? undefined : openness(fact);

/** The kernel does not show it. */
export const notShown = (): Openness => undefined;

/** Returns the numbers of capabilities from their names, which spaces separate, without `CAP_`. */
export const numbersOf = (names: string): readonly number[] =>
  names.split(/\s+/).flatMap((name) => capabilityNumber(name) ?? []);

const numbersIn = (set: bigint): readonly number[] =>
  Array.from({ length: CAPABILITIES }, (_, number) => number).filter(
    (number) => ((set >> BigInt(number)) & 1n) === 1n,
  );

type CapabilitySet = keyof NonNullable<ProcessConfinement['capabilities']>;

/**
 * Returns the capabilities in this set that the process has on the machine: none in a user namespace of its
 * own, which must be known if there are any.
 */
export const capabilitiesOf = (
  { capabilities, namespaces }: ProcessConfinement,
  set: CapabilitySet,
): readonly number[] | undefined => {
  if (namespaces?.user === true) return [];
  const numbers = capabilities && numbersIn(capabilities[set]);
  return numbers?.length === 0 || namespaces?.user === false ? numbers : undefined;
};

/** Returns the mount at exactly this path that covers the others. */
export const mountAt = (mounts: readonly ProcessMount[], path: string): ProcessMount | undefined =>
  mounts.findLast((mount) => mount.path === path);

/** Returns the mount that this path is in. */
export const mountOf = (mounts: readonly ProcessMount[], path: string): ProcessMount | undefined => {
  const above = mounts.filter(
    (mount) => path === mount.path || path.startsWith(mount.path === '/' ? '/' : `${mount.path}/`),
  );
  const longest = Math.max(...above.map((mount) => mount.path.length));
  return above.findLast((mount) => mount.path.length === longest);
};
