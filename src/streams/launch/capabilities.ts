// `capabilities`: what is named stays, and nothing else. Without the key a service that keeps root keeps root's, and one
// with a `user` has none, for which the kernel sees by itself.
import type { ServiceSpec } from '../domain/declared/spec.ts';
import { capabilityName, capabilityNumber } from './capability.ts';
import type { LaunchFacts } from './facts.ts';
import { usesUserNamespace } from './namespaces.ts';
import type { LaunchRefusal } from './refusal.ts';
import type { PlannedStep } from './step.ts';

const numbersOf = (names: readonly string[]): readonly number[] =>
  names.flatMap((name) => capabilityNumber(name) ?? []);

/** In a user namespace of its own a service that is not root there begins with all of them. */
const keptBy = (spec: ServiceSpec, { runsAs }: LaunchFacts): readonly string[] | undefined =>
  spec.privilege.capabilities ?? (usesUserNamespace(spec) && runsAs.account !== undefined ? [] : undefined);

/** None for a supervisor that is not root, which has none to leave, nor where the manifest leaves them to the kernel. */
export const capabilitySteps = (spec: ServiceSpec, facts: LaunchFacts): readonly PlannedStep[] => {
  const kept = keptBy(spec, facts);
  return kept === undefined || !facts.privileged
    ? []
    : [{ tag: 'capabilities', keep: numbersOf(kept), key: 'capabilities', mayRefuse: [] }];
};

/** What the supervisor does not have it cannot leave to anybody. */
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
