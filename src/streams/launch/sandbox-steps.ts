// `isolation.landlock`, `ports`, `seccomp` and `address_families`: the files, ports, system calls and sockets
// that a program may use. They need only `no_new_privs`, no root. `isolation.protect` needs a mount namespace
// too. If they cannot be applied, the service is refused with every schema; `protect` only with schema 3.
import type { LandlockSpec, ProtectSpec, ServiceSpec } from '../domain/declared/spec.ts';
import type { LaunchFacts } from './launch-facts.ts';
import type { LaunchRefusal } from './launch-refusal.ts';
import { expandGroups } from './seccomp/call-groups.ts';
import { type Filtered, filterProgram } from './seccomp/filter.ts';
import { credentialRules } from './mounts/credential-steps.ts';
import { isAnotherByDefault } from './identity-steps.ts';
import type { LandlockFiles, FileAccess, LandlockRule, LaunchStep, PlannedStep } from './launch-step.ts';

type LandlockStep = Extract<LaunchStep, { tag: 'landlock' }>;

const rules = (paths: readonly string[], grant: FileAccess, name: string): readonly LandlockRule[] =>
  paths.map((path) => ({ path, grant, key: `isolation.landlock.${name}` }));

const fileRules = (
  { roPaths, rwPaths, execPaths }: LandlockSpec,
  more: readonly LandlockRule[],
): LandlockFiles => ({
  rules: [
    ...more,
    ...rules(roPaths, 'read', 'ro_paths'),
    ...rules(rwPaths, 'write', 'rw_paths'),
    ...rules(execPaths, 'execute', 'exec_paths'),
  ],
  // Otherwise execution is not restricted, so that the program itself can start.
  guardsExecution: execPaths.length > 0,
});

/** Sets `no_new_privs`: no later exec gains rights, so Landlock and seccomp need no root. */
const nothingGained = (key: string): PlannedStep => ({ tag: 'no-new-privileges', key, mayRefuse: [] });

/** Errors with which a kernel refuses what `isolation.protect` needs. */
const REFUSALS = ['EPERM', 'EACCES', 'EINVAL', 'ENOSPC', 'EUSERS', 'ENOSYS', 'EOPNOTSUPP', 'EBUSY'];

/** Returns the declared `isolation.protect`, if there can be a mount namespace for it. */
const protectedBy = (
  { privilege: { isolation } }: Pick<ServiceSpec, 'privilege'>,
  { privileged }: LaunchFacts,
): ProtectSpec | undefined => (privileged || isolation?.user === true ? isolation?.protect : undefined);

/** Returns the paths that a service needs although their directory is covered. */
/** Returns the state directory as a list, empty without one. */
const stateOf = ({ stateDir }: ServiceSpec): readonly string[] => (stateDir === undefined ? [] : [stateDir]);

const neededPaths = (spec: ServiceSpec): readonly string[] => {
  const { workingDir, launch, sockets = [], privilege } = spec;
  const { roPaths = [], rwPaths = [], execPaths = [] } = privilege.isolation?.landlock ?? {};
  return [
    workingDir,
    ...stateOf(spec),
    ...(launch.tag === 'exec' ? launch.argv.slice(0, 1) : []),
    ...sockets.flatMap(({ listen }) => (listen.tag === 'unix' ? [listen.path] : [])),
    ...[...roPaths, ...rwPaths, ...execPaths],
  ];
};

type ProtectStep = Extract<LaunchStep, { tag: 'protect' }>;

const protectStep = (
  { schema }: ServiceSpec,
  parts: ProtectSpec,
  paths: Pick<ProtectStep, 'writable' | 'kept'>,
): PlannedStep => ({
  ...{ tag: 'protect', parts, ...paths },
  key: parts.proc === undefined ? 'isolation.protect' : 'isolation.protect.proc',
  mayRefuse: schema === 2 ? REFUSALS : [],
});

interface ProcSteps {
  readonly outside: readonly PlannedStep[];
  readonly inside: readonly PlannedStep[];
}

/**
 * Returns the step that mounts a `/proc` of its own: outside the user namespace, if there is one, because
 * inside only the processes of a pid namespace that belongs to it can be shown.
 */
export const procSteps = (spec: ServiceSpec, facts: LaunchFacts): ProcSteps => {
  const proc = protectedBy(spec, facts)?.proc;
  if (proc === undefined) return { outside: [], inside: [] };
  const steps = [protectStep(spec, { proc }, { writable: [], kept: [] })];
  return facts.privileged && spec.privilege.isolation?.pid !== true
    ? { outside: steps, inside: [] }
    : { outside: [], inside: steps };
};

/** Returns the step that makes the other mounts of `isolation.protect`. */
export const protectSteps = (spec: ServiceSpec, facts: LaunchFacts): readonly PlannedStep[] => {
  const { proc: _, ...parts } = protectedBy(spec, facts) ?? {};
  if (Object.keys(parts).length === 0) return [];
  const writable = [...(spec.privilege.isolation?.landlock?.rwPaths ?? []), ...stateOf(spec)];
  const credentials = credentialRules(spec, facts).map(({ path }) => path);
  const needed = [...neededPaths(spec), ...credentials, ...(facts.hidden?.kept ?? [])];
  const kept = [...new Set(needed)].filter((path) => path.startsWith('/') && path !== '/');
  return [protectStep(spec, parts, { writable, kept })];
};

const keyOfLandlock = ({ files, ports }: Pick<LandlockStep, 'files' | 'ports'>): string => {
  if (files !== undefined) return 'isolation.landlock';
  return ports === undefined ? 'isolation.protect' : 'isolation.ports';
};

/** Returns the rules for what the service gets for itself, without a path in `landlock`. */
const ownRules = (spec: ServiceSpec, facts: LaunchFacts): readonly LandlockRule[] => [
  ...credentialRules(spec, facts),
  ...stateOf(spec).map((path): LandlockRule => ({ path, grant: 'write', key: 'state_dir' })),
];

/** Returns what Landlock restricts; `undefined` without a key that needs it. */
const restrictedBy = (spec: ServiceSpec, facts: LaunchFacts): Omit<LandlockStep, 'tag'> | undefined => {
  const { landlock, ports } = spec.privilege.isolation ?? {};
  const isDomain = protectedBy(spec, facts) !== undefined;
  if (landlock === undefined && ports === undefined && !isDomain) return undefined;
  return {
    ...(landlock && { files: fileRules(landlock, ownRules(spec, facts)) }),
    ...(ports && { ports }),
    ...(isDomain && { isDomain }),
  };
};

/** Returns the Landlock steps, after the one that sets `no_new_privs`. */
export const landlockSteps = (spec: ServiceSpec, facts: LaunchFacts): readonly PlannedStep[] => {
  const restricted = restrictedBy(spec, facts);
  if (restricted === undefined) return [];
  const key = keyOfLandlock(restricted);
  const mayRefuse = key === 'isolation.protect' && spec.schema === 2 ? REFUSALS : [];
  return [nothingGained(key), { tag: 'landlock', ...restricted, key, mayRefuse }];
};

/** System calls with which a service could undo a part of `isolation.protect`, or go around it. */
const deniedBy = ({ kernel, devices }: ProtectSpec): readonly string[] =>
  expandGroups([
    '@mount',
    'open_by_handle_at',
    ...(kernel === undefined ? [] : ['@module', '@reboot', '@swap', 'syslog', 'acct']),
    ...(devices === undefined ? [] : ['@raw-io']),
  ]);

/** Returns what the filter enforces; `undefined` without a key that needs one. */
export const filteredBy = (
  spec: ServiceSpec,
  facts: LaunchFacts,
): (Filtered & { readonly key: string }) | undefined => {
  const { seccomp, addressFamilies: families } = spec.privilege.isolation ?? {};
  const parts = protectedBy(spec, facts);
  if (seccomp !== undefined || families !== undefined) {
    const key = seccomp === undefined ? 'isolation.address_families' : 'isolation.seccomp';
    return { seccomp, families, key, ...(parts && { denied: deniedBy(parts) }) };
  }
  return parts && { denied: deniedBy(parts), key: 'isolation.protect' };
};

/** Returns the seccomp steps; none on an unknown architecture, which `unfilterable` refuses. */
export const filterSteps = (spec: ServiceSpec, facts: LaunchFacts): readonly PlannedStep[] => {
  const filtered = filteredBy(spec, facts);
  if (filtered === undefined || facts.architecture === 'other') return [];
  const { key } = filtered;
  const filter = filterProgram(filtered, facts.architecture);
  return [nothingGained(key), { tag: 'seccomp', filter, key, mayRefuse: [] }];
};

/** Returns the step for `no_new_privs`, if it is declared or the default of version 3. */
export const privilegeSteps = (spec: ServiceSpec, facts: LaunchFacts): readonly PlannedStep[] =>
  (spec.privilege.isolation?.noNewPrivs ?? isAnotherByDefault(spec, facts))
    ? [nothingGained('isolation.no_new_privs')]
    : [];

/** Refuses a service with a filter on an architecture whose system calls are unknown. */
export const unfilterable = (spec: ServiceSpec, facts: LaunchFacts): LaunchRefusal | undefined => {
  const filtered = filteredBy(spec, facts);
  if (facts.architecture !== 'other' || filtered === undefined) return undefined;
  const detail = 'the system calls of this machine are not known; those of x64 and arm64 are';
  return { code: 'ERR0724', key: filtered.key, detail };
};
