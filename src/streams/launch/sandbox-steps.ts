// The keys `isolation.landlock`, `ports`, `seccomp` and `address_families`: the files, ports, system calls
// and sockets that a program may use. These keys need `no_new_privs`, but not root. If Linux cannot apply
// them, the service does not start. The key `isolation.protect` also needs a mount namespace. If Linux cannot
// apply it, a service with schema 2 starts without it, and a service with schema 3 does not start.
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
  // Without `exec_paths` execution is not restricted, so that the program of the service can start.
  guardsExecution: execPaths.length > 0,
});

/**
 * Returns the step that sets `no_new_privs`: no later exec can gain rights. Without root, Landlock and
 * seccomp work only after this step.
 */
const nothingGained = (key: string): PlannedStep => ({ tag: 'no-new-privileges', key, mayRefuse: [] });

/** The errors with which Linux refuses an operation that `isolation.protect` needs. */
const REFUSALS = ['EPERM', 'EACCES', 'EINVAL', 'ENOSPC', 'EUSERS', 'ENOSYS', 'EOPNOTSUPP', 'EBUSY'];

/** Returns the declared `isolation.protect`; `undefined` if no mount namespace is possible for it. */
const protectedBy = (
  { privilege: { isolation } }: Pick<ServiceSpec, 'privilege'>,
  { privileged }: LaunchFacts,
): ProtectSpec | undefined => (privileged || isolation?.user === true ? isolation?.protect : undefined);

/** Returns the state directory as a list, which is empty if the service has none. */
const stateOf = ({ stateDir }: ServiceSpec): readonly string[] => (stateDir === undefined ? [] : [stateDir]);

/**
 * Returns the paths that the service needs. They stay visible even if `isolation.protect` hides the directory
 * that contains them.
 */
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
 * Returns the step that mounts a `/proc` for this service only. In a user namespace, Linux permits the mount
 * only together with a pid namespace. Therefore, if the supervisor is privileged and the service declares no
 * pid namespace, the step comes before the user namespace is entered.
 */
export const procSteps = (spec: ServiceSpec, facts: LaunchFacts): ProcSteps => {
  const proc = protectedBy(spec, facts)?.proc;
  if (proc === undefined) return { outside: [], inside: [] };
  const steps = [protectStep(spec, { proc }, { writable: [], kept: [] })];
  return facts.privileged && spec.privilege.isolation?.pid !== true
    ? { outside: steps, inside: [] }
    : { outside: [], inside: steps };
};

/** Returns the step that makes the mounts of `isolation.protect` other than `/proc`. */
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

/** Returns the rules for the service's own paths, which the key `landlock` need not name. */
const ownRules = (spec: ServiceSpec, facts: LaunchFacts): readonly LandlockRule[] => [
  ...credentialRules(spec, facts),
  ...stateOf(spec).map((path): LandlockRule => ({ path, grant: 'write', key: 'state_dir' })),
];

/** Returns the restrictions for the Landlock step; `undefined` if no declared key needs Landlock. */
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

/** Returns two steps: `no_new_privs`, then Landlock. Empty if no declared key needs Landlock. */
export const landlockSteps = (spec: ServiceSpec, facts: LaunchFacts): readonly PlannedStep[] => {
  const restricted = restrictedBy(spec, facts);
  if (restricted === undefined) return [];
  const key = keyOfLandlock(restricted);
  const mayRefuse = key === 'isolation.protect' && spec.schema === 2 ? REFUSALS : [];
  return [nothingGained(key), { tag: 'landlock', ...restricted, key, mayRefuse }];
};

/** Returns the system calls with which a service could undo or bypass a part of `isolation.protect`. */
const deniedBy = ({ kernel, devices }: ProtectSpec): readonly string[] =>
  expandGroups([
    '@mount',
    'open_by_handle_at',
    ...(kernel === undefined ? [] : ['@module', '@reboot', '@swap', 'syslog', 'acct']),
    ...(devices === undefined ? [] : ['@raw-io']),
  ]);

/**
 * Returns the restrictions that the seccomp filter enforces; `undefined` if no declared key needs a filter.
 */
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

/**
 * Returns the steps that install the seccomp filter. Empty on an unknown architecture, where a service that
 * needs a filter is refused.
 */
export const filterSteps = (spec: ServiceSpec, facts: LaunchFacts): readonly PlannedStep[] => {
  const filtered = filteredBy(spec, facts);
  if (filtered === undefined || facts.architecture === 'other') return [];
  const { key } = filtered;
  const filter = filterProgram(filtered, facts.architecture);
  return [nothingGained(key), { tag: 'seccomp', filter, key, mayRefuse: [] }];
};

/**
 * Returns the step that sets `no_new_privs`, if the manifest declares it, or if schema 3 sets it by default.
 */
export const privilegeSteps = (spec: ServiceSpec, facts: LaunchFacts): readonly PlannedStep[] =>
  (spec.privilege.isolation?.noNewPrivs ?? isAnotherByDefault(spec, facts))
    ? [nothingGained('isolation.no_new_privs')]
    : [];

/** Refuses a service with a filter if the numbers of system calls of this machine are unknown. */
export const unfilterable = (spec: ServiceSpec, facts: LaunchFacts): LaunchRefusal | undefined => {
  const filtered = filteredBy(spec, facts);
  if (facts.architecture !== 'other' || filtered === undefined) return undefined;
  const detail = 'the system calls of this machine are not known; those of x64 and arm64 are';
  return { code: 'ERR0724', key: filtered.key, detail };
};
