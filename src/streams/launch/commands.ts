// The launch plan of a service, for commands on its behalf (`docs/behaviour.md`, "Commands on behalf of a service").
import type { ServiceSpec } from '../domain/declared/spec.ts';
import type { ProcessRef } from '../domain/service/process.ts';
import { isConfined, type Confining } from './confined.ts';
import type { PlannedStep, Stage } from './step.ts';

/**
 * Whom `pre_start`, `skip`, `reload` and health check commands run as. Version 3 gives the commands of a confined
 * service to it, since it may change what they run; version 2 keeps what it always did unless told otherwise.
 */
export const whoRunsCommands = (
  declared: ServiceSpec['runAs'] | undefined,
  schema: ServiceSpec['schema'],
  confining: Confining,
): ServiceSpec['runAs'] | undefined =>
  declared ?? (schema === 3 && isConfined(confining) ? 'service' : undefined);

/** Whether they run as the service does. */
export const runsAsService = ({ runAs, schema, privilege }: ServiceSpec): boolean =>
  whoRunsCommands(runAs, schema, privilege) === 'service';

/** A cgroup is made for one run and bounds that run: a command beside it is not in it. */
export const withoutCgroup = (spec: ServiceSpec): ServiceSpec => {
  const { limits, ...privilege } = spec.privilege;
  if (limits?.cgroup === undefined) return spec;
  const { cgroup: _, ...rest } = limits;
  return { ...spec, privilege: { ...privilege, limits: rest } };
};

/** Only who the service runs as, and nothing that confines it. */
export const identityOnly = (spec: ServiceSpec): ServiceSpec => {
  const { user, group, supplementaryGroups } = spec.privilege;
  return {
    ...spec,
    privilege: {
      supplementaryGroups,
      ...(user !== undefined && { user }),
      ...(group !== undefined && { group }),
    },
  };
};

const joined = (step: PlannedStep, process: ProcessRef): PlannedStep =>
  step.tag === 'namespace' && step.kind === 'network' ? { ...step, of: process } : step;

/**
 * The network of this running process instead of a new one, so that the command reaches what the service listens on.
 * Every other namespace is made anew. A network inside a user namespace cannot be joined from another user namespace,
 * so with `isolation.user` the network is new as well.
 */
export const joiningNetwork = (stages: readonly Stage[], process: ProcessRef): readonly Stage[] =>
  stages.some((stage) => stage.some(({ tag }) => tag === 'user-namespace'))
    ? stages
    : stages.map((stage) => stage.map((step) => joined(step, process)));
