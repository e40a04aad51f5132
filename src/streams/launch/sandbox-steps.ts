// `isolation.landlock`, `ports` and `seccomp`: the files, ports and system calls that a program may use. They
// need only `no_new_privs`, no root. If they cannot be applied, the service is refused with every schema.
import type { LandlockSpec, ServiceSpec } from '../domain/declared/spec.ts';
import type { LaunchFacts } from './launch-facts.ts';
import type { LaunchRefusal } from './launch-refusal.ts';
import { type Filtered, filterProgram } from './seccomp/filter.ts';
import { isAnotherByDefault } from './identity-steps.ts';
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

/** Returns what the filter enforces; `undefined` without a key that needs one. */
const filteredBy = ({
  privilege,
}: Pick<ServiceSpec, 'privilege'>): (Filtered & { key: string }) | undefined => {
  const { seccomp, addressFamilies: families } = privilege.isolation ?? {};
  if (seccomp === undefined && families === undefined) return undefined;
  const key = seccomp === undefined ? 'isolation.address_families' : 'isolation.seccomp';
  return { seccomp, families, key };
};

/** Returns the seccomp steps; none on an unknown architecture, which `unfilterable` refuses. */
export const filterSteps = (spec: ServiceSpec, { architecture }: LaunchFacts): readonly PlannedStep[] => {
  const filtered = filteredBy(spec);
  if (filtered === undefined || architecture === 'other') return [];
  const { key } = filtered;
  const filter = filterProgram(filtered, architecture);
  return [nothingGained(key), { tag: 'seccomp', filter, key, mayRefuse: [] }];
};

/** Returns the step for `no_new_privs`, if it is declared or the default of version 3. */
export const privilegeSteps = (spec: ServiceSpec, facts: LaunchFacts): readonly PlannedStep[] =>
  (spec.privilege.isolation?.noNewPrivs ?? isAnotherByDefault(spec, facts))
    ? [nothingGained('isolation.no_new_privs')]
    : [];

/** Refuses a service with a filter on an architecture whose system calls are unknown. */
export const unfilterable = (spec: ServiceSpec, { architecture }: LaunchFacts): LaunchRefusal | undefined => {
  const filtered = filteredBy(spec);
  if (architecture !== 'other' || filtered === undefined) return undefined;
  const detail = 'the system calls of this machine are not known; those of x64 and arm64 are';
  return { code: 'ERR0724', key: filtered.key, detail };
};
