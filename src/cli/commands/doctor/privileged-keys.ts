// Checks the kernel features that `sup` uses, and whether each privileged key of a manifest would be applied
// here (`docs/security.md`, "What each key does, and what it does not").
import { isAtLeast } from './check-programs.ts';
import { type Finding, fine, warning } from './finding.ts';
import { HIGHEST_ID } from '../../../streams/domain/account.ts';
import { capabilityName, CAPABILITIES } from '../../../streams/launch/capability-steps.ts';
import { PORTS_SINCE } from '../../../streams/launch/landlock-rights.ts';

export interface KernelFacts {
  readonly release: string;
  /** The kernel's Landlock ABI; 0: the kernel has no Landlock; absent: unknown. */
  readonly landlockAbi?: number | undefined;
  readonly seccomp: boolean;
  readonly userNamespaces: boolean;
}

const EXIT_OF_OTHERS = [6, 15] as const;

const landlockText = (abi: number | undefined): string => {
  if (abi === undefined) return 'Landlock unknown';
  return abi === 0 ? 'no Landlock' : `Landlock ABI ${abi}`;
};

/**
 * Returns a finding about the kernel. It is never a warning, because the findings about the keys say what is
 * missing for each key.
 */
export const judgeKernel = ({ release, landlockAbi, seccomp, userNamespaces }: KernelFacts): Finding => {
  const says = [
    `Linux ${release}`,
    landlockText(landlockAbi),
    seccomp ? 'seccomp' : 'no seccomp',
    userNamespaces ? 'user namespaces' : 'no user namespaces',
    isAtLeast(release, EXIT_OF_OTHERS)
      ? 'tells exit statuses through a pidfd'
      : `does not tell exit statuses through a pidfd (from Linux ${EXIT_OF_OTHERS.join('.')})`,
  ];
  return fine('kernel', says.join(', '));
};

export interface KeyFacts extends KernelFacts {
  readonly sys: boolean;
  readonly uid: number;
  /** True if the C library can be called. */
  readonly ffi: boolean;
  /** Numbers of the capabilities that are both in the permitted set and in the bounding set. */
  readonly capabilities: readonly number[];
  readonly architecture: string;
  /** True if the program `unshare` of util-linux can be executed. */
  readonly unshare: boolean;
  /** Controllers of the cgroup v2 hierarchy for services, if there is one. */
  readonly controllers?: readonly string[] | undefined;
  readonly cgroupRoot: string;
  /** True if `cgroupRoot`, or its nearest existing parent, is writable, so that cgroups can be created. */
  readonly cgroupWritable: boolean;
  /** The user namespace in which `sup doctor` runs. */
  readonly inside: {
    readonly isInitial: boolean;
    /** Number of user ids that are mapped into the namespace; `groups`: number of group ids. */
    readonly users: number;
    readonly groups: number;
    readonly maySetGroups: boolean;
  };
  /** Kinds of namespaces that cannot be created, because a kernel setting allows none. */
  readonly noneOf: readonly string[];
}

/** Returns why a key would not be applied; `undefined` if it would. */
type Obstacle = (facts: KeyFacts) => string | undefined;

const capable =
  (...needed: readonly string[]): Obstacle =>
  ({ capabilities }) => {
    const has = (name: string): boolean => capabilities.some((number) => capabilityName(number) === name);
    const lacking = needed.filter((name) => !has(name));
    return lacking.length === 0 ? undefined : `root lacks ${lacking.join(', ')} here`;
  };

const EVERYBODY = HIGHEST_ID + 1;

const allOf =
  (...obstacles: readonly Obstacle[]): Obstacle =>
  (facts) =>
    obstacles.map((obstacle) => obstacle(facts)).find((says) => says !== undefined);

/**
 * An obstacle in a user namespace that does not permit to set groups. The key `user` also has this obstacle,
 * because `sup` sets the groups when it changes the user.
 */
const settingGroups: Obstacle = ({ inside }) =>
  inside.maySetGroups
    ? undefined
    : 'groups cannot be set in this user namespace (/proc/self/setgroups: deny)';

const othersOf =
  (kind: 'users' | 'groups'): Obstacle =>
  ({ inside }) =>
    inside[kind] > 1 ? undefined : `no other ${kind} are mapped into this user namespace`;

const someOf =
  (kind: 'users' | 'groups'): Obstacle =>
  ({ inside }) =>
    inside[kind] < EVERYBODY
      ? `only ${inside[kind]} ${kind} are mapped into this user namespace, and any other is refused`
      : undefined;

/**
 * Returns an obstacle for keys that need a capability in the initial user namespace. To have the capability
 * in another user namespace is not enough.
 */
const capableOutside =
  (needed: string): Obstacle =>
  (facts) =>
    facts.inside.isInitial ? capable(needed)(facts) : `root of a user namespace lacks ${needed} outside it`;

const userNamespace: Obstacle = ({ userNamespaces, unshare }) => {
  if (!userNamespaces) return 'this kernel, or its settings, allow no user namespaces';
  return unshare ? undefined : 'unshare of util-linux is not there';
};

const landlock: Obstacle = ({ landlockAbi }) =>
  landlockAbi === 0 ? 'this kernel has no Landlock, or it is not switched on' : undefined;

const ports: Obstacle = ({ landlockAbi = PORTS_SINCE.abi }) =>
  landlockAbi < PORTS_SINCE.abi
    ? `this kernel has Landlock ABI ${landlockAbi}, and ports need ABI ${PORTS_SINCE.abi} (Linux ${PORTS_SINCE.release})`
    : undefined;

const seccomp: Obstacle = ({ seccomp: there, architecture }) => {
  if (!there) return 'this kernel has no seccomp filters';
  return ['x64', 'arm64'].includes(architecture) ? undefined : `no filters for ${architecture}`;
};

const cgroup: Obstacle = ({ controllers, cgroupRoot, cgroupWritable }) => {
  if (controllers === undefined) return `there is no cgroup v2 hierarchy at ${cgroupRoot}`;
  const absent = ['memory', 'cpu'].filter((name) => !controllers.includes(name));
  if (absent.length > 0) return `the cgroup v2 hierarchy has no controller ${absent.join(', ')}`;
  return cgroupWritable ? undefined : `no cgroup can be made at ${cgroupRoot}`;
};

interface Key {
  readonly name: string;
  /**
   * Which supervisors apply the key. `root`: only a supervisor with `--sys`. `root or isolation.user`: also
   * one without `--sys`, for a service with `isolation.user`. Absent: every supervisor.
   */
  readonly by?: 'root' | 'root or isolation.user';
  readonly obstacle: Obstacle;
  /**
   * An obstacle that is checked for every supervisor. In contrast, `obstacle` is checked only for a
   * supervisor that applies the key according to `by`.
   */
  readonly anywhere?: Obstacle;
  /** True if a service of a version 2 manifest starts without the key where the key cannot be applied. */
  readonly passable?: true;
  /**
   * True if the supervisor applies the key before it starts the launcher, and so without the C library. An
   * obstacle is then reported even if the C library cannot be called.
   */
  readonly beforehand?: true;
  /** Returns what is missing if only a part of the key can be applied; `undefined` if all of it can. */
  readonly lack?: Obstacle;
}

const nothing: Obstacle = () => undefined;

const raising: Obstacle = (facts) =>
  capableOutside('CAP_SYS_RESOURCE')(facts) && 'no hard limit is raised: that needs CAP_SYS_RESOURCE';

const hurrying: Obstacle = (facts) =>
  capableOutside('CAP_SYS_NICE')(facts) && 'priority only goes down: up needs CAP_SYS_NICE';

const protecting: Obstacle = (facts) =>
  capableOutside('CAP_SYS_RESOURCE')(facts) && 'it only goes up: down needs CAP_SYS_RESOURCE';

/** The first Landlock ABI that also restricts signals and abstract sockets. Older ABIs restrict less. */
export const WHOLE_LANDLOCK = 6;

const partly: Obstacle = ({ landlockAbi = 0 }) =>
  landlockAbi < WHOLE_LANDLOCK
    ? `ABI ${landlockAbi} restricts less than ABI ${WHOLE_LANDLOCK} (Linux 6.12)`
    : undefined;

/**
 * Returns, for a supervisor with `--sys`, what `isolation.user` does for a service without `user`, which runs
 * as root.
 */
const rootInside: Obstacle = ({ sys, inside: { users, groups } }) => {
  if (!sys) return undefined;
  return users < EVERYBODY || groups < EVERYBODY
    ? 'root inside under version 3 needs ids of /etc/subuid and /etc/subgid that are mapped here, else the service is refused; under version 2 it is root outside too'
    : 'root inside is root outside too under version 2, and not under version 3';
};

const ofNamespace = (kind: string): Key => ({
  name: `isolation.${kind}`,
  by: 'root or isolation.user',
  obstacle: capable('CAP_SYS_ADMIN'),
  anywhere: ({ noneOf }) =>
    noneOf.includes(kind) ? `the settings allow no ${kind} namespaces (/proc/sys/user)` : undefined,
  passable: true,
});

const ofLimit = (resource: string): Key => ({ name: `limits.${resource}`, obstacle: nothing, lack: raising });

const ofGroup = (name: string): Key => ({
  name,
  by: 'root',
  obstacle: allOf(capable('CAP_SETGID'), settingGroups, othersOf('groups')),
  lack: someOf('groups'),
});

const KEYS: readonly Key[] = [
  {
    name: 'user',
    by: 'root',
    obstacle: allOf(capable('CAP_SETUID', 'CAP_SETGID'), settingGroups, othersOf('users')),
    lack: someOf('users'),
  },
  ...['group', 'supplementary_groups'].map(ofGroup),
  { name: 'capabilities', by: 'root', obstacle: capable('CAP_SETPCAP') },
  ...['nofile', 'nproc', 'memlock', 'core', 'stack', 'fsize'].map(ofLimit),
  { name: 'limits.nice', obstacle: nothing, lack: hurrying },
  { name: 'limits.oom_score_adj', obstacle: nothing, lack: protecting },
  { name: 'limits.cpu_affinity', obstacle: nothing },
  { name: 'limits.cgroup', by: 'root', obstacle: cgroup, passable: true, beforehand: true },
  ...['network', 'mount', 'pid'].map(ofNamespace),
  { ...ofNamespace('mount'), name: 'isolation.protect' },
  { name: 'isolation.user', obstacle: userNamespace, passable: true, lack: rootInside },
  { name: 'isolation.landlock', obstacle: landlock, lack: partly },
  { name: 'isolation.ports', obstacle: allOf(landlock, ports) },
  { name: 'isolation.address_families', obstacle: seccomp },
  { name: 'isolation.seccomp', obstacle: seccomp },
  { name: 'isolation.no_new_privs', obstacle: nothing },
];

const NEEDS = 'docs/security.md says what each key needs';
const REFUSED = `${NEEDS}; a service that has it is refused, under version 2 too`;
const PASSED = `${NEEDS}; under version 3 a service that has it is refused, under version 2 it runs without`;

/** Returns a text that says which supervisor applies the key; `undefined` if this supervisor applies it. */
const elsewhere = ({ by }: Key, facts: KeyFacts): string | undefined => {
  if (facts.sys || by === undefined) return undefined;
  return by === 'root' || userNamespace(facts) !== undefined
    ? 'carried out with --sys only'
    : 'carried out with --sys, or together with isolation.user';
};

const carriedOut = (facts: KeyFacts, { lack }: Key): string => {
  const says = lack?.(facts);
  return says === undefined ? 'carried out' : `carried out; ${says}`;
};

const needsCalls = (facts: KeyFacts, { beforehand, obstacle }: Key): boolean =>
  !facts.ffi && !(beforehand === true && obstacle(facts) !== undefined);

const judgeKey = (facts: KeyFacts, key: Key): Finding => {
  const id = `key ${key.name}`;
  const refused = (why: string, mend: string): Finding => warning(id, `not carried out: ${why}`, mend);
  const mend = key.passable === true ? PASSED : REFUSED;
  const never = key.anywhere?.(facts);
  if (never !== undefined) return refused(never, mend);
  const other = elsewhere(key, facts);
  if (other !== undefined) return fine(id, other);
  const obstacle = key.obstacle(facts);
  return obstacle === undefined ? fine(id, carriedOut(facts, key)) : refused(obstacle, mend);
};

/**
 * Returns a finding for each privileged key. If the C library cannot be called, keys that need it have no
 * finding, because another check reports that the C library cannot be called.
 */
export const judgeKeys = (facts: KeyFacts): readonly Finding[] =>
  KEYS.filter((key) => !needsCalls(facts, key)).map((key) => judgeKey(facts, key));

/** Reports what root may do here. In a container root may lack capabilities. */
export const judgeRoot = ({ sys, uid, capabilities, inside }: KeyFacts): Finding => {
  if (uid !== 0) return fine('root', `user ${uid}: only a supervisor of this user's own`);
  const lacking = Array.from({ length: CAPABILITIES }, (_, number) => number).filter(
    (number) => !capabilities.includes(number),
  );
  const names = lacking.map((number) => capabilityName(number) ?? String(number)).join(', ');
  const all = lacking.length === 0 ? 'with all capabilities' : `without ${names}`;
  const root = inside.isInitial ? `root ${all}` : `root of a user namespace, ${all} in it`;
  return fine('root', `${root}${sys ? '' : '; the privileged supervisor is asked about with --sys'}`);
};
