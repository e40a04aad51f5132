// Each key of the privileged kind: whether a service that has it would get it, here and in this mode
// (`docs/security.md`, "What each key does, and what it does not").
import { capabilityName, CAPABILITIES } from '../launch/capability.ts';
import { fine, warning, type Finding } from './finding.ts';
import type { KernelFacts } from './kernel.ts';

export interface KeyFacts extends KernelFacts {
  readonly sys: boolean;
  readonly uid: number;
  /** There are calls to the C library. */
  readonly ffi: boolean;
  /** Permitted, and in the bounding set. */
  readonly capabilities: readonly number[];
  readonly architecture: string;
  /** `unshare` of util-linux can be run. */
  readonly unshare: boolean;
  /** Of the hierarchy of version 2 that the cgroups of services would be in; absent: there is none. */
  readonly controllers?: readonly string[] | undefined;
  readonly cgroupRoot: string;
}

/** Why a key would not be carried out; `undefined`: it would. */
type Obstacle = (facts: KeyFacts) => string | undefined;

const capable =
  (...needed: readonly string[]): Obstacle =>
  ({ capabilities }) => {
    const has = (name: string): boolean => capabilities.some((number) => capabilityName(number) === name);
    const lacking = needed.filter((name) => !has(name));
    return lacking.length === 0 ? undefined : `root lacks ${lacking.join(', ')} here`;
  };

const userNamespace: Obstacle = ({ userNamespaces, unshare }) => {
  if (!userNamespaces) return 'this kernel, or its settings, allow no user namespaces';
  return unshare ? undefined : 'unshare of util-linux is not there';
};

const landlock: Obstacle = ({ landlockAbi }) =>
  landlockAbi === 0 ? 'this kernel has no Landlock, or it is not switched on' : undefined;

const seccomp: Obstacle = ({ seccomp: there, architecture }) => {
  if (!there) return 'this kernel has no seccomp filters';
  return ['x64', 'arm64'].includes(architecture) ? undefined : `no filters for ${architecture}`;
};

const cgroup: Obstacle = ({ controllers, cgroupRoot }) => {
  if (controllers === undefined) return `there is no cgroup v2 hierarchy at ${cgroupRoot}`;
  const absent = ['memory', 'cpu'].filter((name) => !controllers.includes(name));
  return absent.length === 0 ? undefined : `the cgroup v2 hierarchy has no controller ${absent.join(', ')}`;
};

interface Key {
  readonly name: string;
  /** What carries it out; absent: any supervisor. */
  readonly by?: 'root' | 'root or isolation.user';
  readonly obstacle: Obstacle;
  /** What of it there is not, where the rest is carried out. */
  readonly lack?: Obstacle;
}

const nothing: Obstacle = () => undefined;

const raising: Obstacle = (facts) =>
  capable('CAP_SYS_RESOURCE')(facts) && 'no hard limit is raised: that needs CAP_SYS_RESOURCE';

const hurrying: Obstacle = (facts) =>
  capable('CAP_SYS_NICE')(facts) && 'priority only goes down: up needs CAP_SYS_NICE';

/** The first ABI that restricts devices too; each before it restricts less. */
const WHOLE_LANDLOCK = 5;

const partly: Obstacle = ({ landlockAbi = 0 }) =>
  landlockAbi < WHOLE_LANDLOCK
    ? `ABI ${landlockAbi} restricts less than ABI ${WHOLE_LANDLOCK} (Linux 6.10)`
    : undefined;

const ofNamespace = (kind: string): Key => ({
  name: `isolation.${kind}`,
  by: 'root or isolation.user',
  obstacle: capable('CAP_SYS_ADMIN'),
});

const ofLimit = (resource: string): Key => ({ name: `limits.${resource}`, obstacle: nothing, lack: raising });

const KEYS: readonly Key[] = [
  { name: 'user', by: 'root', obstacle: capable('CAP_SETUID', 'CAP_SETGID') },
  { name: 'group', by: 'root', obstacle: capable('CAP_SETGID') },
  { name: 'supplementary_groups', by: 'root', obstacle: capable('CAP_SETGID') },
  { name: 'capabilities', by: 'root', obstacle: capable('CAP_SETPCAP') },
  ...['nofile', 'nproc', 'memlock'].map(ofLimit),
  { name: 'limits.nice', obstacle: nothing, lack: hurrying },
  { name: 'limits.cpu_affinity', obstacle: nothing },
  { name: 'limits.cgroup', by: 'root', obstacle: cgroup },
  ...['network', 'mount', 'pid'].map(ofNamespace),
  { name: 'isolation.user', obstacle: userNamespace },
  { name: 'isolation.landlock', obstacle: landlock, lack: partly },
  { name: 'isolation.seccomp', obstacle: seccomp },
];

const MEND = 'docs/security.md says what each key needs; under version 3 a service that has it is refused';

/** What an ordinary supervisor does not carry out by itself. */
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

const judgeKey = (facts: KeyFacts, key: Key): Finding => {
  const id = `key ${key.name}`;
  if (!facts.ffi) return warning(id, 'not carried out: there are no calls to the C library', MEND);
  const other = elsewhere(key, facts);
  if (other !== undefined) return fine(id, other);
  const obstacle = key.obstacle(facts);
  return obstacle === undefined
    ? fine(id, carriedOut(facts, key))
    : warning(id, `not carried out: ${obstacle}`, MEND);
};

/** One finding for each privileged key. */
export const judgeKeys = (facts: KeyFacts): readonly Finding[] => KEYS.map((key) => judgeKey(facts, key));

/** Root that is not all of root: in a container, say. */
export const judgeRoot = ({ sys, uid, capabilities }: KeyFacts): Finding => {
  if (uid !== 0) return fine('root', `user ${uid}: only a supervisor of this user's own`);
  const lacking = Array.from({ length: CAPABILITIES }, (_, number) => number).filter(
    (number) => !capabilities.includes(number),
  );
  const names = lacking.map((number) => capabilityName(number) ?? String(number)).join(', ');
  const all = lacking.length === 0 ? 'with all capabilities' : `without ${names}`;
  return fine('root', `root ${all}${sys ? '' : '; the privileged supervisor is asked about with --sys'}`);
};
