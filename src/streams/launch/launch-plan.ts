// Turns a declaration into the steps that a launcher applies to itself, in the only order that works
// (`docs/security.md`): first what needs root, last what takes rights away.
import type { ServiceSpec } from '../domain/declared/spec.ts';
import { capabilitySteps, missingCapability } from './capability-steps.ts';
import type { LaunchFacts } from './launch-facts.ts';
import { identitySteps, impostor } from './identity-steps.ts';
import { hidingSteps, needsHidden } from './hiding-steps.ts';
import { absentCpus, headroomSteps, limitSteps, schedulingSteps } from './limit-steps.ts';
import {
  enterUserNamespace,
  innerIdentity,
  namespaceSteps,
  unmapped,
  usesUserNamespace,
} from './namespace-steps.ts';
import type { LaunchRefusal } from './launch-refusal.ts';
import { landlockSteps, filterSteps, unfilterable } from './sandbox-steps.ts';
import type { PlannedStep, LaunchStage } from './launch-step.ts';

type Plan =
  /** One stage for each launcher; without stages the program starts directly. */
  | { readonly tag: 'plan'; readonly stages: readonly LaunchStage[] }
  | { readonly tag: 'refused'; readonly refusal: LaunchRefusal };

/**
 * The kernel's errors when a cgroup cannot be joined: threaded, with controllers below it, or not permitted.
 */
const JOIN_REFUSALS = ['ENOTSUP', 'EOPNOTSUPP', 'EBUSY', 'EACCES', 'EPERM', 'ENOENT', 'EINVAL'];

/** Joins the cgroup, which was created with its limits before the process. Version 2 continues without it. */
const cgroupSteps = ({ schema }: ServiceSpec, { cgroup }: LaunchFacts): LaunchStage => {
  if (cgroup === undefined) return [];
  const mayRefuse = schema === 2 ? JOIN_REFUSALS : [];
  return [{ tag: 'cgroup', procs: `${cgroup}/cgroup.procs`, key: 'limits.cgroup', mayRefuse }];
};

/** Entered as the service's own user, so that a directory it may not enter fails. */
const directoryStep = ({ workingDir }: ServiceSpec): PlannedStep => ({
  tag: 'directory',
  path: workingDir,
  key: 'working_dir',
  mayRefuse: [],
});

const umaskSteps = ({ umask }: ServiceSpec): LaunchStage =>
  umask === undefined ? [] : [{ tag: 'umask', mask: Number.parseInt(umask, 8), key: 'umask', mayRefuse: [] }];

/** Limits are raised earlier, while it is root; here they are lowered, when nothing more is opened. */
const ending = (spec: ServiceSpec, facts: LaunchFacts): LaunchStage => [
  ...capabilitySteps(spec, facts),
  directoryStep(spec),
  ...umaskSteps(spec),
  ...landlockSteps(spec),
  ...limitSteps(spec, facts),
  ...filterSteps(spec, facts),
];

const oneLauncher = (spec: ServiceSpec, facts: LaunchFacts): readonly LaunchStage[] => [
  [
    ...cgroupSteps(spec, facts),
    ...headroomSteps(spec, facts),
    ...schedulingSteps(spec, facts),
    ...namespaceSteps(spec, facts),
    ...hidingSteps(spec, facts),
    ...identitySteps(spec, facts),
    ...ending(spec, facts),
  ],
];

/**
 * The first stage, outside, does what only the machine's root may do. Other namespaces are created inside, so
 * that they belong to the new user namespace. Root hides places outside, so that the namespace's root cannot
 * undo it. Hiding is done inside only without root, or if the second launcher would be hidden, too.
 */
const twoLaunchers = (spec: ServiceSpec, facts: LaunchFacts): readonly LaunchStage[] => {
  const isOutside = facts.privileged && facts.hidden?.hasLauncher === false;
  const hiding = hidingSteps(spec, facts);
  return [
    [
      ...cgroupSteps(spec, facts),
      ...headroomSteps(spec, facts),
      ...schedulingSteps(spec, facts),
      ...(isOutside ? hiding : []),
      ...identitySteps(spec, facts),
      enterUserNamespace(spec, facts),
    ],
    [
      ...namespaceSteps(spec, facts),
      ...(isOutside ? [] : hiding),
      ...innerIdentity(facts),
      ...ending(spec, facts),
    ],
  ];
};

/** True if no privileged key is declared at all. */
export const asksForNothing = ({ privilege }: ServiceSpec): boolean => {
  const { user, group, supplementaryGroups, capabilities, limits, isolation } = privilege;
  return (
    [user, group, capabilities, limits, isolation].every((key) => key === undefined) &&
    supplementaryGroups.length === 0
  );
};

const asksForSomething = (stages: readonly LaunchStage[]): boolean =>
  stages.some((stage) => stage.some(({ tag }) => !['directory', 'umask'].includes(tag)));

const absentWall = (spec: ServiceSpec, facts: LaunchFacts): LaunchRefusal | undefined =>
  unfilterable(spec, facts) ?? unmapped(spec, facts);

/** Returns a stage for each launcher; none if nothing is asked for. Refusals come before anything starts. */
export const launchPlan = (spec: ServiceSpec, facts: LaunchFacts): Plan => {
  const refusal =
    impostor(spec, facts) ??
    absentCpus(spec, facts) ??
    missingCapability(spec, facts) ??
    needsHidden(spec, facts) ??
    absentWall(spec, facts);
  if (refusal !== undefined) return { tag: 'refused', refusal: { ...refusal, final: true } };
  const stages = (usesUserNamespace(spec) ? twoLaunchers : oneLauncher)(spec, facts);
  return { tag: 'plan', stages: asksForSomething(stages) ? stages : [] };
};
