// What a declaration asks the kernel for → the steps that a launcher does to itself, in the one order that works
// (`docs/security.md`): what needs root before root is given up, what
// takes rights away last.
import type { ServiceSpec } from '../domain/declared/spec.ts';
import { capabilitySteps, missingCapability } from './capabilities.ts';
import type { LaunchFacts } from './facts.ts';
import { identitySteps, impostor } from './identity.ts';
import { hidingSteps, needsHidden } from './hidden-places.ts';
import { absentCpus, headroomSteps, limitSteps, schedulingSteps } from './limits.ts';
import {
  enterUserNamespace,
  innerIdentity,
  namespaceSteps,
  unmapped,
  usesUserNamespace,
} from './namespaces.ts';
import type { LaunchRefusal } from './refusal.ts';
import { landlockSteps, filterSteps, unfilterable } from './sandbox.ts';
import type { PlannedStep, Stage } from './step.ts';

type Plan =
  /** One stage for each launcher; none: the program can be started as it is. */
  | { readonly tag: 'plan'; readonly stages: readonly Stage[] }
  | { readonly tag: 'refused'; readonly refusal: LaunchRefusal };

/** What the kernel says of a cgroup that is not to be joined: a threaded one, one with controllers below it, one that is closed. */
const JOIN_REFUSALS = ['ENOTSUP', 'EOPNOTSUPP', 'EBUSY', 'EACCES', 'EPERM', 'ENOENT', 'EINVAL'];

/** Made and given its ceilings before there is a process. Version 2 goes on without. */
const cgroupSteps = ({ schema }: ServiceSpec, { cgroup }: LaunchFacts): Stage => {
  if (cgroup === undefined) return [];
  const mayRefuse = schema === 2 ? JOIN_REFUSALS : [];
  return [{ tag: 'cgroup', procs: `${cgroup}/cgroup.procs`, key: 'limits.cgroup', mayRefuse }];
};

/** Entered as the service's own user: a directory that is closed to it is closed. */
const directoryStep = ({ workingDir }: ServiceSpec): PlannedStep => ({
  tag: 'directory',
  path: workingDir,
  key: 'working_dir',
  mayRefuse: [],
});

const umaskSteps = ({ umask }: ServiceSpec): Stage =>
  umask === undefined ? [] : [{ tag: 'umask', mask: Number.parseInt(umask, 8), key: 'umask', mayRefuse: [] }];

/** Limits are raised while there is root to do it, and lowered when nothing is left to be opened. */
const ending = (spec: ServiceSpec, facts: LaunchFacts): Stage => [
  ...capabilitySteps(spec, facts),
  directoryStep(spec),
  ...umaskSteps(spec),
  ...landlockSteps(spec),
  ...limitSteps(spec, facts),
  ...filterSteps(spec, facts),
];

const oneLauncher = (spec: ServiceSpec, facts: LaunchFacts): readonly Stage[] => [
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
 * What only the machine's own root may do is done outside. The other namespaces are made inside, so that they belong to
 * the new user namespace. Places are hidden outside by root, so that the root of the new namespace cannot undo it; inside
 * only without root, or if the second launcher could not be found any more.
 */
const twoLaunchers = (spec: ServiceSpec, facts: LaunchFacts): readonly Stage[] => {
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

/** Nothing of the privileged kind is declared at all. */
export const asksForNothing = ({ privilege }: ServiceSpec): boolean => {
  const { user, group, supplementaryGroups, capabilities, limits, isolation } = privilege;
  return (
    [user, group, capabilities, limits, isolation].every((key) => key === undefined) &&
    supplementaryGroups.length === 0
  );
};

const asksForSomething = (stages: readonly Stage[]): boolean =>
  stages.some((stage) => stage.some(({ tag }) => !['directory', 'umask'].includes(tag)));

const absentWall = (spec: ServiceSpec, facts: LaunchFacts): LaunchRefusal | undefined =>
  unfilterable(spec, facts) ?? unmapped(spec, facts);

/** Stage by stage, one for each launcher; no stage where nothing is asked for. Refused before anything was begun. */
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
