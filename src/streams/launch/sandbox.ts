// `isolation.landlock` and `isolation.seccomp`: what a program may touch and which system calls it may make. They need no
// root, only that nothing it executes can gain rights (`no_new_privs`). Where they cannot be applied the service is
// refused, in every version.
import type { LandlockSpec, ServiceSpec } from '../domain/declared/spec.ts';
import type { LaunchFacts } from './facts.ts';
import type { LaunchRefusal } from './refusal.ts';
import { filterProgram } from './seccomp/filter.ts';
import type { FileRules, Grant, LandlockRule, PlannedStep } from './step.ts';

const rules = (paths: readonly string[], grant: Grant, name: string): readonly LandlockRule[] =>
  paths.map((path) => ({ path, grant, key: `isolation.landlock.${name}` }));

const fileRules = ({ roPaths, rwPaths, execPaths }: LandlockSpec): FileRules => ({
  rules: [
    ...rules(roPaths, 'read', 'ro_paths'),
    ...rules(rwPaths, 'write', 'rw_paths'),
    ...rules(execPaths, 'execute', 'exec_paths'),
  ],
  // Who names no path to execute from has not asked for that to be restricted: a program must be able to begin.
  guardsExecution: execPaths.length > 0,
});

/** No right can be gained from here on: what makes both safe, and possible without root. */
const nothingGained = (key: string): PlannedStep => ({ tag: 'no-new-privileges', key, mayRefuse: [] });

/** Landlock, after the promise without which only root may have it. */
export const landlockSteps = ({ privilege }: ServiceSpec): readonly PlannedStep[] => {
  const { landlock, ports } = privilege.isolation ?? {};
  if (landlock === undefined && ports === undefined) return [];
  const key = landlock === undefined ? 'isolation.ports' : 'isolation.landlock';
  const what = { ...(landlock && { files: fileRules(landlock) }), ...(ports && { ports }) };
  return [nothingGained(key), { tag: 'landlock', ...what, key, mayRefuse: [] }];
};

/** None on an architecture whose system calls are not known: `unfilterable` has refused it by then. */
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

/** A filter that would not filter is none. */
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
