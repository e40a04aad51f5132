// The key `limits`: resource limits, priority and CPUs. Without root, limits can only be lowered. If a
// declared limit needs root, a service with schema 2 starts without this limit, which is reported. A service
// with schema 3 does not start.
import type { ServiceSpec } from '../domain/declared/spec.ts';
import type { LaunchFacts } from './launch-facts.ts';
import type { LaunchRefusal } from './launch-refusal.ts';
import type { PlannedStep } from './launch-step.ts';

export const RESOURCES = ['nofile', 'nproc', 'memlock', 'core', 'stack', 'fsize'] as const;

const refusals = ({ schema }: ServiceSpec, { privileged }: LaunchFacts): readonly string[] =>
  !privileged && schema === 2 ? ['EPERM', 'EACCES'] : [];

const resourceSteps = (
  { privilege }: ServiceSpec,
  { atLeast, mayRefuse }: { readonly atLeast: boolean; readonly mayRefuse: readonly string[] },
): readonly PlannedStep[] =>
  RESOURCES.flatMap((resource): readonly PlannedStep[] => {
    const value = privilege.limits?.[resource];
    return value === undefined
      ? []
      : [{ tag: 'limit', resource, value, atLeast, key: `limits.${resource}`, mayRefuse }];
  });

/**
 * Returns the steps that raise hard limits. They lower none: launchers still start threads and open files.
 */
export const raiseLimitSteps = (spec: ServiceSpec, facts: LaunchFacts): readonly PlannedStep[] =>
  resourceSteps(spec, { atLeast: true, mayRefuse: refusals(spec, facts) });

/** Returns the steps that set the soft and the hard limits to the declared values. */
export const limitSteps = (spec: ServiceSpec, facts: LaunchFacts): readonly PlannedStep[] =>
  resourceSteps(spec, { atLeast: false, mayRefuse: refusals(spec, facts) });

/** Returns the steps for `nice`, `oom_score_adj` and `cpu_affinity`, which are not resource limits. */
export const schedulingSteps = (spec: ServiceSpec, facts: LaunchFacts): readonly PlannedStep[] => {
  const { nice, oomScoreAdj: oom, cpuAffinity } = spec.privilege.limits ?? {};
  const mayRefuse = refusals(spec, facts);
  return [
    ...(nice === undefined ? [] : [{ tag: 'nice', value: nice, key: 'limits.nice', mayRefuse } as const]),
    ...(oom === undefined
      ? []
      : [{ tag: 'oom-score', value: oom, key: 'limits.oom_score_adj', mayRefuse } as const]),
    ...(cpuAffinity === undefined
      ? []
      : [{ tag: 'cpus', cpus: cpuAffinity, key: 'limits.cpu_affinity', mayRefuse: [] } as const]),
  ];
};

/** Refuses CPUs that this machine does not have, because Linux would ignore them silently. */
export const absentCpus = ({ privilege }: ServiceSpec, { cpus }: LaunchFacts): LaunchRefusal | undefined => {
  const absent = (privilege.limits?.cpuAffinity ?? []).filter((cpu) => !cpus.includes(cpu));
  if (absent.length === 0) return undefined;
  const detail = `this machine has no CPU ${absent.join(', ')}; it has ${cpus.join(', ')}`;
  return { code: 'ERR0744', key: 'limits.cpu_affinity', detail };
};
