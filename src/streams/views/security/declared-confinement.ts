// The confinement that a declaration asks for. It is computed from the steps that a launcher would apply, so
// that a key has the same meaning for `sup security` and for a start.
import { type Account } from '../../domain/account.ts';
import type { ProtectSpec, ServiceSpec } from '../../domain/declared/spec.ts';
import { CAPABILITIES } from '../../launch/capability-steps.ts';
import { isConfined, mayNotCommand, type OwnUser } from '../../launch/confined.ts';
import type { LaunchFacts } from '../../launch/launch-facts.ts';
import { launchPlan } from '../../launch/launch-plan.ts';
import type { LandlockFiles, LaunchStep, StepTag } from '../../launch/launch-step.ts';
import { usesUserNamespace } from '../../launch/namespace-steps.ts';
import { filteredBy } from '../../launch/sandbox-steps.ts';
import { maskedText } from '../words/masked-text.ts';
import { deniedCalls } from '../../launch/seccomp/filter.ts';

/** The facts about the supervisor that starts the service. */
export interface Starter {
  readonly own: OwnUser;
  /** True for a supervisor with `--sys`. */
  readonly privileged: boolean;
}

/**
 * The confinement of a service. `capabilities` and `bounding` are lists of capability numbers. For a service
 * in a user namespace they are empty, because its capabilities have no effect outside.
 */
export interface DeclaredConfinement {
  readonly isRoot: boolean;
  /** True if the service has the uid of the supervisor. */
  readonly sharesUser: boolean;
  /** The manifest key that puts the service into the group root. Absent if it is not in that group. */
  readonly rootGroup?: 'user' | 'group' | 'supplementary_groups';
  readonly capabilities: readonly number[];
  readonly bounding: readonly number[];
  readonly noNewPrivs: boolean;
  readonly protect: ProtectSpec;
  /**
   * The files that Landlock permits: `all` files, all files only for reading (`readable`), or only the
   * `named` files.
   */
  readonly files: 'all' | 'readable' | 'named';
  /** The number of declared lists of ports: `bind`, `connect`, or both. */
  readonly portLists: number;
  readonly namespaces: { readonly network: boolean; readonly pid: boolean; readonly user: boolean };
  readonly hasFilter: boolean;
  readonly denied: ReadonlySet<string>;
  /** True if the service can create sockets only of declared address families, or only of common ones. */
  readonly namesFamilies: boolean;
  /** The declared umask. If absent, the service has the umask of the supervisor, which is not known here. */
  readonly umask?: number;
  readonly isEnvironmentClean: boolean;
  /** The names of variables in `env.vars` that look like secrets. */
  readonly plainSecrets: readonly string[];
  readonly hasSecretFiles: boolean;
  /** True if the service may use the control socket of its supervisor. */
  readonly mayCommand: boolean;
  /** True if the service may use the control socket only because it declares `control: true`. */
  readonly isGranted: boolean;
}

const ROOT = 0;
/**
 * A uid and gid that neither root nor the supervisor has. It stands for the ids of accounts that may not
 * exist on this machine, and for ids that no account uses.
 */
const ANOTHER_ID = 65_533;

const isRootName = (name: string): boolean => name === 'root' || name === String(ROOT);

const idOf = (name: string): number => {
  if (isRootName(name)) return ROOT;
  return /^\d+$/.test(name) ? Number(name) : ANOTHER_ID;
};

const accountOf = (user: string, { uid, name }: OwnUser): Account => {
  const id = user === name ? uid : idOf(user);
  return { name: user, uid: id, gid: id, groups: [id], home: '/', shell: '/bin/sh' };
};

const ALL: readonly number[] = Array.from({ length: CAPABILITIES }, (_, number) => number);
const UNUSED = { first: ANOTHER_ID, count: 1 };

/** Returns the facts for planning a launch. The declared accounts need not exist on this machine. */
const factsOf = ({ privilege }: ServiceSpec, { own, privileged }: Starter): LaunchFacts => ({
  ...{ privileged, uid: own.uid, groups: [own.uid], architecture: 'x64' },
  runsAs: {
    ...(privilege.user !== undefined && { account: accountOf(privilege.user, own) }),
    ...(privilege.group !== undefined && { gid: idOf(privilege.group) }),
    supplementary: privilege.supplementaryGroups.map(idOf),
  },
  inside: { users: UNUSED, groups: UNUSED },
  ...{ cpus: privilege.limits?.cpuAffinity ?? [], capabilities: ALL, credentialsAt: '' },
});

type Steps = readonly LaunchStep[];

const stepsWith = <T extends StepTag>(steps: Steps, tag: T): readonly Extract<LaunchStep, { tag: T }>[] =>
  steps.filter((step): step is Extract<LaunchStep, { tag: T }> => step.tag === tag);

type Identity = Pick<
  DeclaredConfinement,
  'isRoot' | 'sharesUser' | 'rootGroup' | 'capabilities' | 'bounding'
>;

/** Returns the uid of the service outside of its user namespace, as the machine sees it. */
const uidOf = (spec: ServiceSpec, { privileged, uid, runsAs: { account } }: LaunchFacts): number => {
  if (!privileged) return uid;
  if (account !== undefined) return account.uid;
  return spec.schema === 3 && usesUserNamespace(spec) ? ANOTHER_ID : uid;
};

const rootGroupOf = (
  uid: number,
  { privileged, runsAs }: LaunchFacts,
): Pick<DeclaredConfinement, 'rootGroup'> => {
  const { gid, supplementary } = privileged ? runsAs : { supplementary: [] };
  if (gid === ROOT) return { rootGroup: 'group' };
  if (supplementary.includes(ROOT)) return { rootGroup: 'supplementary_groups' };
  // A service without `user` keeps the groups of its supervisor, even if it declares a `group`.
  return uid === ROOT ? { rootGroup: 'user' } : {};
};

const identityOf = (spec: ServiceSpec, facts: LaunchFacts, steps: Steps): Identity => {
  const uid = uidOf(spec, facts);
  const isInside = usesUserNamespace(spec);
  const kept = stepsWith(steps, 'capabilities').at(-1)?.keep;
  return {
    isRoot: uid === ROOT,
    sharesUser: uid === facts.uid,
    ...rootGroupOf(uid, facts),
    capabilities: isInside ? [] : (kept ?? (uid === ROOT ? ALL : [])),
    bounding: isInside ? [] : (kept ?? ALL),
  };
};

type Calls = Pick<DeclaredConfinement, 'hasFilter' | 'denied' | 'namesFamilies'>;

const callsOf = (spec: ServiceSpec, facts: LaunchFacts): Calls => {
  const filtered = filteredBy(spec, facts);
  return {
    hasFilter: filtered !== undefined,
    denied: filtered === undefined ? new Set() : deniedCalls(filtered),
    namesFamilies: filtered?.families !== undefined || filtered?.seccomp?.profile === 'baseline',
  };
};

const planned = (spec: ServiceSpec, facts: LaunchFacts): Steps => {
  const plan = launchPlan(spec, facts);
  return plan.tag === 'plan' ? plan.stages.flat() : [];
};

const filesOf = (files: LandlockFiles | undefined): DeclaredConfinement['files'] => {
  const grants = files?.rules.filter(({ path }) => path === '/').map(({ grant }) => grant);
  if (grants === undefined || grants.includes('write')) return 'all';
  return grants.length > 0 ? 'readable' : 'named';
};

const umaskOf = ({ umask }: ServiceSpec): Pick<DeclaredConfinement, 'umask'> =>
  umask === undefined ? {} : { umask: Number.parseInt(umask, 8) };

/** True if all output masks the value of a variable with this name. */
const isSecret = (name: string, value: string): boolean =>
  value !== '' && maskedText(`${name}=x`) !== `${name}=x`;

/** Returns the confinement of the service if this supervisor starts it. */
export const declaredConfinement = (spec: ServiceSpec, starter: Starter): DeclaredConfinement => {
  const facts = factsOf(spec, starter);
  const steps = planned(spec, facts);
  const kinds = stepsWith(steps, 'namespace').map(({ kind }) => kind);
  const landlock = stepsWith(steps, 'landlock').at(-1);
  const { bind, connect } = landlock?.ports ?? {};
  return {
    ...identityOf(spec, facts, steps),
    ...callsOf(spec, facts),
    ...umaskOf(spec),
    noNewPrivs: stepsWith(steps, 'no-new-privileges').length > 0,
    protect: stepsWith(steps, 'protect').reduce<ProtectSpec>((all, { parts }) => ({ ...all, ...parts }), {}),
    files: filesOf(landlock?.files),
    portLists: [bind, connect].filter((list) => list !== undefined).length,
    namespaces: {
      network: kinds.includes('network'),
      pid: kinds.includes('pid'),
      user: stepsWith(steps, 'user-namespace').length > 0,
    },
    isEnvironmentClean: spec.env.clean === true,
    plainSecrets: Object.entries(spec.env.vars).flatMap(([name, value]) =>
      isSecret(name, value) ? [name] : [],
    ),
    hasSecretFiles: Object.keys({ ...spec.env.secrets, ...spec.privilege.credentials }).length > 0,
    mayCommand: !mayNotCommand(spec, starter.own),
    isGranted: spec.control === true && isConfined(spec.privilege, starter.own),
  };
};

/**
 * Returns the confinement that the declaration asks for. Includes keys that need `--sys`, even if this
 * supervisor runs without `--sys`.
 */
export const writtenConfinement = (spec: ServiceSpec, starter: Starter): DeclaredConfinement => {
  const written = declaredConfinement(spec, { ...starter, privileged: true });
  if (spec.privilege.user !== undefined) return written;
  // Without the key `user`, the service runs as the user of this supervisor, also if the service is in a user
  // namespace.
  const { isRoot, sharesUser, rootGroup } = declaredConfinement(spec, starter);
  return { ...written, isRoot, sharesUser, ...(rootGroup !== undefined && { rootGroup }) };
};
