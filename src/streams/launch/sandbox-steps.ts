// `isolation.landlock`, `ports` and `seccomp`: the files, ports and system calls that a program may use. They
// need only `no_new_privs`, no root. If they cannot be applied, the service is refused with every schema.
import type { LandlockSpec, ServiceSpec } from '../domain/declared/spec.ts';
import type { LaunchFacts } from './launch-facts.ts';
import type { LaunchRefusal } from './launch-refusal.ts';
import { filterProgram } from './seccomp/filter.ts';
import type { LandlockFiles, FileAccess, LandlockRule, PlannedStep } from './launch-step.ts';

const rules = (paths: readonly string[], grant: FileAccess, name: string): readonly LandlockRule[] =>
  paths.map((path) => ({ path, grant, key: `isolation.landlock.${name}` }));

const fileRules = ({ roPaths, rwPaths, execPaths }: LandlockSpec): LandlockFiles => ({
  rules: [
    ...rules(roPaths, 'read', 'ro_paths'),
    ...rules(rwPaths, 'write', 'rw_paths'),
    ...rules(execPaths, 'execute', 'exec_paths'),
  ],
  // Otherwise execution is not restricted, so that the program itself can start.
  guardsExecution: execPaths.length > 0,
});

/** Sets `no_new_privs`: no later exec gains rights, so Landlock and seccomp need no root. */
const nothingGained = (key: string): PlannedStep => ({ tag: 'no-new-privileges', key, mayRefuse: [] });

/** Returns the Landlock steps, after the one that sets `no_new_privs`. */
export const landlockSteps = ({ privilege }: ServiceSpec): readonly PlannedStep[] => {
  const { landlock, ports } = privilege.isolation ?? {};
  if (landlock === undefined && ports === undefined) return [];
  const key = landlock === undefined ? 'isolation.ports' : 'isolation.landlock';
  const what = { ...(landlock && { files: fileRules(landlock) }), ...(ports && { ports }) };
  return [nothingGained(key), { tag: 'landlock', ...what, key, mayRefuse: [] }];
};

/** Returns the seccomp steps; none on an unknown architecture, which `unfilterable` refuses. */
export const filterSteps = (
  { privilege }: ServiceSpec,
  { architecture }: LaunchFacts,
): readonly PlannedStep[] => {
  const { seccomp } = privilege.isolation ?? {};
  if (seccomp === undefined || architecture === 'other') return [];
  const filter = filterProgram(seccomp, architecture);
  const key = 'isolation.seccomp';
  return [nothingGained(key), { tag: 'seccomp', filter, key, mayRefuse: [] }];
};

/** Refuses a service with seccomp on an architecture whose system calls are unknown. */
export const unfilterable = (
  { privilege }: ServiceSpec,
  { architecture }: LaunchFacts,
): LaunchRefusal | undefined =>
  architecture === 'other' && privilege.isolation?.seccomp !== undefined
    ? {
        code: 'ERR0724',
        key: 'isolation.seccomp',
        detail: 'the system calls of this machine are not known; those of x64 and arm64 are',
      }
    : undefined;
