// Table rows for the export to Kubernetes: resources, users and confinement.
import type { Translation } from '../key-table.ts';
import type { KubernetesContext, KubernetesRow } from './kubernetes-context.ts';

/** Returns a quantity of memory in Mi or Ki, if that is a whole number, or else in bytes. */
const memory = (bytes: number): string => {
  if (bytes % (1024 * 1024) === 0) return `${bytes / (1024 * 1024)}Mi`;
  return bytes % 1024 === 0 ? `${bytes / 1024}Ki` : String(bytes);
};

const memoryMax = ({ spec: { privilege } }: KubernetesContext): number | undefined => {
  const bytes = privilege.limits?.cgroup?.memoryMax;
  return typeof bytes === 'number' ? bytes : undefined;
};

const memoryLimit = (context: KubernetesContext): Translation => {
  const bytes = memoryMax(context);
  return bytes === undefined ? {} : { keys: { 'container.resources.limits': { memory: memory(bytes) } } };
};

const memoryWatched = (context: KubernetesContext): Translation => {
  const { maxMemory } = context.spec;
  if (maxMemory === undefined) return {};
  if (memoryMax(context) !== undefined)
    return { lost: 'only limits.cgroup.memory_max is written: a container has one limit of memory' };
  return {
    keys: { 'container.resources.limits': { memory: memory(maxMemory) } },
    changed: 'the container is killed at this limit at once: max_memory_for has no counterpart',
  };
};

/** Translates `cpu_max`, a quota and a period in microseconds, to thousandths of a CPU. */
const cpuLimit = ({ spec }: KubernetesContext): Translation => {
  const [quota, period] = (spec.privilege.limits?.cgroup?.cpuMax ?? 'max').split(' ').map(Number);
  if (quota === undefined || period === undefined || Number.isNaN(quota)) return {};
  const cpu = `${Math.max(1, Math.round((quota * 1000) / period))}m`;
  return { keys: { 'container.resources.limits': { cpu } } };
};

const numberOf = (id: string | undefined): number | undefined =>
  id !== undefined && /^\d+$/.test(id) ? Number(id) : undefined;

const account =
  (key: 'user' | 'group', theirs: string, remedy: string) =>
  ({ spec: { privilege } }: KubernetesContext): Translation => {
    const id = privilege[key];
    if (id === undefined) return {};
    const number = numberOf(id);
    return number === undefined
      ? { lost: `Kubernetes knows no names of accounts: write the number of "${id}", or ${remedy}` }
      : { keys: { 'container.securityContext': { [theirs]: number } } };
  };

const groups = ({ spec: { privilege } }: KubernetesContext): Translation => {
  const [known, unknown] = [
    privilege.supplementaryGroups.map(numberOf).filter((id) => id !== undefined),
    privilege.supplementaryGroups.filter((id) => numberOf(id) === undefined),
  ];
  return {
    ...(known.length > 0 && { keys: { 'pod.securityContext': { supplementalGroups: known } } }),
    ...(unknown.length > 0 && {
      lost: `Kubernetes knows no names of accounts: write the numbers of ${unknown.join(', ')}`,
    }),
  };
};

const withoutPrefix = (capability: string): string => capability.replace(/^CAP_/, '');

const capabilities = ({ spec: { privilege } }: KubernetesContext): Translation => {
  if (privilege.capabilities === undefined) return {};
  const add = privilege.capabilities.map(withoutPrefix);
  return {
    keys: {
      'container.securityContext': { capabilities: { drop: ['ALL'], ...(add.length > 0 && { add }) } },
    },
  };
};

/**
 * Forbids a confined service to gain privileges. Kubernetes refuses this together with the capability
 * SYS_ADMIN.
 */
const escalation = ({ spec: { privilege }, has }: KubernetesContext): Translation => {
  const isConfined = has('capabilities') || has('isolation.seccomp') || has('isolation.landlock');
  const isFree = privilege.capabilities?.some((each) => withoutPrefix(each) === 'SYS_ADMIN') ?? false;
  return isConfined && !isFree
    ? { keys: { 'container.securityContext': { allowPrivilegeEscalation: false } } }
    : {};
};

const seccomp = ({ spec: { privilege } }: KubernetesContext): Translation => {
  const filter = privilege.isolation?.seccomp;
  if (filter === undefined) return {};
  const isOwn = filter.allow.length > 0 || filter.deny.length > 0 || filter.action !== 'errno';
  const type = filter.profile === 'none' ? 'Unconfined' : 'RuntimeDefault';
  return {
    keys: { 'container.securityContext': { seccompProfile: { type } } },
    ...(isOwn
      ? {
          lost: 'allow, deny and action need a profile on each node, which seccompProfile can name with type: Localhost',
        }
      : filter.profile === 'baseline' && {
          changed: 'the filter is the default of the container runtime, not the baseline of sup',
        }),
  };
};

const landlock = ({ spec: { privilege } }: KubernetesContext): Translation => {
  const paths = privilege.isolation?.landlock;
  if (paths === undefined) return {};
  const message = 'a container sees the files of its image: mount other paths as volumes';
  return paths.rwPaths.length > 0
    ? { lost: `${message}, those of rw_paths writable` }
    : { keys: { 'container.securityContext': { readOnlyRootFilesystem: true } }, changed: message };
};

const namespaces = ({ spec: { privilege } }: KubernetesContext): Translation =>
  privilege.isolation?.user ? { keys: { 'pod.hostUsers': false } } : {};

const network = ({ spec: { privilege } }: KubernetesContext): Translation =>
  privilege.isolation?.network
    ? { lost: 'a pod has a network: a NetworkPolicy that permits nothing can close it' }
    : {};

export const SECURITY_ROWS: readonly KubernetesRow[] = [
  {
    theirs: 'containers[].resources.limits.memory',
    ours: ['max_memory', 'max_memory_for'],
    note: 'If there is no `limits.cgroup.memory_max`.',
    write: memoryWatched,
  },
  {
    theirs: 'containers[].resources.limits.memory',
    ours: ['limits.cgroup.memory_max'],
    write: memoryLimit,
  },
  {
    theirs: 'containers[].resources.limits.cpu',
    ours: ['limits.cgroup.cpu_max'],
    note: 'Quota divided by period, in thousandths of a CPU.',
    write: cpuLimit,
  },
  {
    theirs: 'containers[].securityContext.runAsUser',
    ours: ['user'],
    note: 'Only a number is exported. The name of an account is lost.',
    write: account('user', 'runAsUser', 'USER in the image'),
  },
  {
    theirs: 'containers[].securityContext.runAsGroup',
    ours: ['group'],
    note: 'Only a number is exported.',
    write: account('group', 'runAsGroup', 'USER in the image'),
  },
  {
    theirs: 'securityContext.supplementalGroups',
    ours: ['supplementary_groups'],
    note: 'Only numbers are exported.',
    write: groups,
  },
  {
    theirs: 'containers[].securityContext.capabilities',
    ours: ['capabilities'],
    note: '`drop: [ALL]`, and `add` with the named capabilities.',
    write: capabilities,
  },
  {
    theirs: 'containers[].securityContext.allowPrivilegeEscalation',
    ours: [],
    note: '`false` with `capabilities`, `isolation.seccomp` or `isolation.landlock`, except with `CAP_SYS_ADMIN`.',
    write: escalation,
  },
  {
    theirs: 'containers[].securityContext.seccompProfile',
    ours: ['isolation.seccomp'],
    note: '`RuntimeDefault`, or `Unconfined` for `profile: none`. `allow`, `deny` and `action` are lost.',
    write: seccomp,
  },
  {
    theirs: 'containers[].securityContext.readOnlyRootFilesystem',
    ours: ['isolation.landlock'],
    note: '`true` if there are no `rw_paths`. The rest is lost.',
    write: landlock,
  },
  { theirs: 'hostUsers', ours: ['isolation.user'], note: 'The value is `false`.', write: namespaces },
  {
    theirs: 'none',
    ours: ['isolation.network'],
    note: 'Lost: it needs a NetworkPolicy.',
    write: network,
  },
  {
    theirs: 'none',
    ours: ['isolation.mount', 'isolation.pid', 'isolation.private_tmp', 'isolation.private_devices'],
    note: 'Not needed: a container has its own files, processes and devices.',
    write: () => ({}),
  },
];
