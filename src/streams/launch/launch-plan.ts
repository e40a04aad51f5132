// Turns a declaration into the steps that a launcher applies to itself. The order of these steps cannot be
// changed (`docs/security.md`): steps that need root come first, steps that give up rights come last.
import type { ServiceSpec } from '../domain/declared/spec.ts';
import { capabilitySteps, missingCapability } from './capability-steps.ts';
import type { LaunchFacts } from './launch-facts.ts';
import { identitySteps, impostor } from './identity-steps.ts';
import { credentialSteps, unmountable } from './mounts/credential-steps.ts';
import { hidingSteps, needsHidden } from './mounts/hiding-steps.ts';
import { absentCpus, raiseLimitSteps, limitSteps, schedulingSteps } from './limit-steps.ts';
import {
  enterUserNamespace,
  innerIdentity,
  namespaceSteps,
  unmapped,
  usesUserNamespace,
} from './namespace-steps.ts';
import { finalRefusal, type LaunchRefusal } from './launch-refusal.ts';
import {
  filterSteps,
  landlockSteps,
  privilegeSteps,
  procSteps,
  protectSteps,
  unfilterable,
} from './sandbox-steps.ts';
import type { PlannedStep, LaunchStage } from './launch-step.ts';

type Plan =
  /**
   * One stage of steps for each launcher. If the list is empty, the program is started without a launcher.
   */
  | { readonly tag: 'plan'; readonly stages: readonly LaunchStage[] }
  | { readonly tag: 'refused'; readonly refusal: LaunchRefusal };

/**
 * The errors of Linux for a process that cannot join a cgroup. The cgroup is threaded, has controllers for
 * its children, does not permit the process, or no longer exists.
 */
const JOIN_REFUSALS = ['ENOTSUP', 'EOPNOTSUPP', 'EBUSY', 'EACCES', 'EPERM', 'ENOENT', 'EINVAL'];

/**
 * Returns the step that joins the cgroup of the run, which exists already. If Linux refuses the step, a
 * service with schema 2 starts without the cgroup, and a service with schema 3 does not start.
 */
const cgroupSteps = ({ schema }: ServiceSpec, { cgroup }: LaunchFacts): LaunchStage => {
  if (cgroup === undefined) return [];
  const mayRefuse = schema === 2 ? JOIN_REFUSALS : [];
  return [{ tag: 'cgroup', procs: `${cgroup}/cgroup.procs`, key: 'limits.cgroup', mayRefuse }];
};

/**
 * Returns the step that enters the working directory. The user of the service must have access to this
 * directory.
 */
const directoryStep = ({ workingDir }: ServiceSpec): PlannedStep => ({
  tag: 'directory',
  path: workingDir,
  key: 'working_dir',
  mayRefuse: [],
});

const umaskSteps = ({ umask }: ServiceSpec): LaunchStage =>
  umask === undefined ? [] : [{ tag: 'umask', mask: Number.parseInt(umask, 8), key: 'umask', mayRefuse: [] }];

/** Returns the last steps. They can lower the limit of open files, so no later step may open a file. */
const ending = (spec: ServiceSpec, facts: LaunchFacts): LaunchStage => [
  ...capabilitySteps(spec, facts),
  directoryStep(spec),
  ...umaskSteps(spec),
  ...privilegeSteps(spec, facts),
  ...landlockSteps(spec, facts),
  ...limitSteps(spec, facts),
  ...filterSteps(spec, facts),
];

const oneLauncher = (spec: ServiceSpec, facts: LaunchFacts): readonly LaunchStage[] => {
  const proc = procSteps(spec, facts);
  return [
    [
      ...cgroupSteps(spec, facts),
      ...raiseLimitSteps(spec, facts),
      ...schedulingSteps(spec, facts),
      ...namespaceSteps(spec, facts),
      ...credentialSteps(spec, facts),
      ...hidingSteps(spec, facts),
      ...[...proc.outside, ...proc.inside],
      ...protectSteps(spec, facts),
      ...identitySteps(spec, facts),
      ...ending(spec, facts),
    ],
  ];
};

/**
 * Returns the two stages for a user namespace. The outer launcher applies the steps that need root of the
 * machine, and enters the user namespace. The inner launcher creates the other namespaces. With a privileged
 * supervisor, the outer launcher also mounts the credentials, because root of the user namespace may not read
 * their files. If possible, the outer launcher also hides the directories, so that this root cannot make them
 * visible again.
 */
const twoLaunchers = (spec: ServiceSpec, facts: LaunchFacts): readonly LaunchStage[] => {
  const isOutside = facts.privileged && facts.hidden?.hasLauncher === false;
  const hiding = hidingSteps(spec, facts);
  const credentials = credentialSteps(spec, facts);
  const proc = procSteps(spec, facts);
  return [
    [
      ...cgroupSteps(spec, facts),
      ...raiseLimitSteps(spec, facts),
      ...schedulingSteps(spec, facts),
      ...(facts.privileged ? credentials : []),
      ...(isOutside ? hiding : []),
      ...proc.outside,
      ...identitySteps(spec, facts),
      enterUserNamespace(spec, facts),
    ],
    [
      ...namespaceSteps(spec, facts),
      ...(facts.privileged ? [] : credentials),
      ...(isOutside ? [] : hiding),
      ...innerIdentity(facts),
      ...proc.inside,
      ...protectSteps(spec, facts),
      ...ending(spec, facts),
    ],
  ];
};

/** True if the service declares no key that needs a launcher. */
export const asksForNothing = ({ privilege }: ServiceSpec): boolean => {
  const { user, group, supplementaryGroups, capabilities, limits, isolation, credentials } = privilege;
  return (
    [user, group, capabilities, limits, isolation, credentials].every((key) => key === undefined) &&
    supplementaryGroups.length === 0
  );
};

const asksForSomething = (stages: readonly LaunchStage[]): boolean =>
  stages.some((stage) => stage.some(({ tag }) => !['directory', 'umask'].includes(tag)));

const absentWall = (spec: ServiceSpec, facts: LaunchFacts): LaunchRefusal | undefined =>
  unfilterable(spec, facts) ?? unmapped(spec, facts) ?? unmountable(spec, facts);

/**
 * Returns the stages of the launch (none if no launcher is needed), or a refusal if the launch cannot
 * succeed.
 */
export const launchPlan = (spec: ServiceSpec, facts: LaunchFacts): Plan => {
  const refusal =
    impostor(spec, facts) ??
    absentCpus(spec, facts) ??
    missingCapability(spec, facts) ??
    needsHidden(spec, facts) ??
    absentWall(spec, facts);
  if (refusal !== undefined) return { tag: 'refused', refusal: finalRefusal(refusal) };
  const stages = (usesUserNamespace(spec) ? twoLaunchers : oneLauncher)(spec, facts);
  return { tag: 'plan', stages: asksForSomething(stages) ? stages : [] };
};
