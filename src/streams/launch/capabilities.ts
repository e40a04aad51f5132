// `capabilities`: a service keeps only those it names. Without the key a service that keeps root keeps
// root's. One with a `user` has none: the kernel drops them by itself.
import type { ServiceSpec } from '../domain/declared/spec.ts';
import { capabilityName, capabilityNumber } from './capability.ts';
import type { LaunchFacts } from './facts.ts';
import { usesUserNamespace } from './namespaces.ts';
import type { LaunchRefusal } from './refusal.ts';
import type { PlannedStep } from './step.ts';

const numbersOf = (names: readonly string[]): readonly number[] =>
  names.flatMap((name) => capabilityNumber(name) ?? []);

/** Returns the capabilities to keep. In its own user namespace a non-root service would start with all. */
const keptBy = (spec: ServiceSpec, { runsAs }: LaunchFacts): readonly string[] | undefined =>
  spec.privilege.capabilities ?? (usesUserNamespace(spec) && runsAs.account !== undefined ? [] : undefined);

/**
 * Returns the capability step. None for a supervisor that is not root, or where the manifest leaves them to
 * the kernel.
 */
export const capabilitySteps = (spec: ServiceSpec, facts: LaunchFacts): readonly PlannedStep[] => {
  const kept = keptBy(spec, facts);
  return kept === undefined || !facts.privileged
    ? []
    : [{ tag: 'capabilities', keep: numbersOf(kept), key: 'capabilities', mayRefuse: [] }];
};

/** Refuses a capability that the supervisor does not have and cannot pass on. */
export const missingCapability = (spec: ServiceSpec, facts: LaunchFacts): LaunchRefusal | undefined => {
  if (!facts.privileged || usesUserNamespace(spec)) return undefined;
  const missing = (spec.privilege.capabilities ?? []).find(
    (name) => !facts.capabilities.includes(capabilityNumber(name) ?? -1),
  );
  if (missing === undefined) return undefined;
  const known = facts.capabilities.flatMap((number) => capabilityName(number) ?? []).join(', ');
  const detail = `the supervisor does not have ${missing} to give; it has ${known === '' ? 'none' : known}`;
  return { code: 'ERR0743', key: 'capabilities', detail };
};
