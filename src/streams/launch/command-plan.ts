// The launch plan of a service, for commands on its behalf
// (`docs/behaviour.md`, "Commands on behalf of a service"), and the programs that such a command line runs.
// Rules: `docs/behaviour.md`, "Commands on behalf of a service", "As the service".
import type { ServiceSpec } from '../domain/declared/spec.ts';
import type { ProcessRef } from '../domain/service/process.ts';
import { type Confining, isConfined } from './confined.ts';
import type { LaunchStage, PlannedStep } from './launch-step.ts';

/**
 * Returns the account of `pre_start`, `skip`, `reload` and health check commands. Version 3 runs those of a
 * confined service as the service, since it may change what they run. Version 2 keeps its old behaviour
 * unless `run_as` is declared.
 */
export const whoRunsCommands = (
  declared: ServiceSpec['runAs'] | undefined,
  schema: ServiceSpec['schema'],
  confining: Confining,
): ServiceSpec['runAs'] | undefined =>
  declared ?? (schema === 3 && isConfined(confining) ? 'service' : undefined);

/** True if the commands run as the service does. */
export const runsAsService = ({ runAs, schema, privilege }: ServiceSpec): boolean =>
  whoRunsCommands(runAs, schema, privilege) === 'service';

/** Returns the spec without its cgroup: that bounds one run, and commands are not part of it. */
export const withoutCgroup = (spec: ServiceSpec): ServiceSpec => {
  const { limits, ...privilege } = spec.privilege;
  if (limits?.cgroup === undefined) return spec;
  const { cgroup: _, ...rest } = limits;
  return { ...spec, privilege: { ...privilege, limits: rest } };
};

/** Returns the spec with only the service's identity and without its confinement. */
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
 * Returns stages that join the network of this running process, so that the command reaches what the service
 * listens on. Other namespaces are new. A network in a user namespace cannot be joined from another one: with
 * `isolation.user` it is new as well.
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

/** Returns the word without quotes. */
const bare = (word: string): string => word.replaceAll(/["']/g, '');

const isAssignment = (word: string): boolean => /^\w+=/.test(word);

/** Returns the program, and after an interpreter what it runs. */
const programsOf = (words: readonly string[]): readonly string[] => {
  const [program, ...more] = words.filter((word) => !isAssignment(word));
  if (program === undefined) return [];
  const rest = more.filter((word) => !word.startsWith('-'));
  return INTERPRETERS.test(program) ? [program, ...programsOf(rest)] : [program];
};

/**
 * Returns the programs that a `sh -c` command line names by a path, as far as its words tell: good enough for
 * a warning only. Those found through `PATH` are left out.
 */
export const programsIn = (command: string): readonly string[] =>
  command
    .split(/&&|\|\||[;|&\n(){}]/)
    .map((part) => part.split(/\s+/).map(bare).filter(Boolean))
    .flatMap(programsOf)
    .filter((program) => program.includes('/'));
