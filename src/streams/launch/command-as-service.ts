// Decides which user and which confinement a command has that is executed on behalf of a service. Finds the
// programs in a command line.
// Rules: `docs/behaviour.md`, "Commands on behalf of a service", "As the service".
import type { ServiceSpec } from '../domain/declared/spec.ts';
import type { ProcessRef } from '../domain/service/process.ts';
import { type Confining, isConfined } from './confined.ts';
import type { LaunchStage, PlannedStep } from './launch-step.ts';

/**
 * Returns whether `pre_start`, `skip`, `reload` and health checks run as the service or as the supervisor.
 * Commands of a confined service with schema 3 run as the service by default, because the service may be able
 * to change their programs.
 */
export const whoRunsCommands = (
  declared: ServiceSpec['runAs'] | undefined,
  schema: ServiceSpec['schema'],
  confining: Confining,
): ServiceSpec['runAs'] | undefined =>
  declared ?? (schema === 3 && isConfined(confining) ? 'service' : undefined);

/** True if commands on behalf of the service run as the service. */
export const runsAsService = ({ runAs, schema, privilege }: ServiceSpec): boolean =>
  whoRunsCommands(runAs, schema, privilege) === 'service';

/** Returns the declaration without its cgroup, because the cgroup limits the run and not the commands. */
export const withoutCgroup = (spec: ServiceSpec): ServiceSpec => {
  const { limits, ...privilege } = spec.privilege;
  if (limits?.cgroup === undefined) return spec;
  const { cgroup: _, ...rest } = limits;
  return { ...spec, privilege: { ...privilege, limits: rest } };
};

/** Returns the declaration with only its user and groups, without the keys that confine the service. */
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
 * Returns launch stages that join the network namespace of this process, so that the command can reach the
 * ports of the service. If the service has a user namespace, its network namespace cannot be joined, so the
 * command gets a new network namespace.
 */
export const joiningNetwork = (
  stages: readonly LaunchStage[],
  process: ProcessRef,
): readonly LaunchStage[] =>
  stages.some((stage) => stage.some(({ tag }) => tag === 'user-namespace'))
    ? stages
    : stages.map((stage) => stage.map((step) => joined(step, process)));

const INTERPRETERS =
  /^(?:.*\/)?(?:sh|bash|dash|ash|ksh|zsh|python[\d.]*|perl|ruby|node|php|env|exec|nohup|nice)$/;

const bare = (word: string): string => word.replaceAll(/["']/g, '');

const isAssignment = (word: string): boolean => /^\w+=/.test(word);

/**
 * Returns the program of a command line. For an interpreter, returns both the interpreter and the program
 * that it runs.
 */
const programsOf = (words: readonly string[]): readonly string[] => {
  const [program, ...more] = words.filter((word) => !isAssignment(word));
  if (program === undefined) return [];
  const rest = more.filter((word) => !word.startsWith('-'));
  return INTERPRETERS.test(program) ? [program, ...programsOf(rest)] : [program];
};

/**
 * Returns the programs that a line for `sh -c` names by a path. The result is exact enough only for a
 * warning.
 */
export const programsIn = (command: string): readonly string[] =>
  command
    .split(/&&|\|\||[;|&\n(){}]/)
    .map((part) => part.split(/\s+/).map(bare).filter(Boolean))
    .flatMap(programsOf)
    .filter((program) => program.includes('/'));
