// Table rows that translate the Compose keys about users and limits to keys of `sup`, and back.
import type { Limit } from '../../streams/domain/declared/spec.ts';
import { cpuMax } from './compose-check-rows.ts';
import type { ComposeService } from './compose-service.ts';
import { type ComposeRow, type ComposeTarget, ifPresent } from './compose-target.ts';
import { sizeTo } from './compose-values.ts';
import { isPlainMap, lost, type Plain, type Translation } from '../key-table.ts';
import { textOf, textsOf, numberOf, processorList, translated, numberTo } from '../source-values.ts';

/** The capabilities that root has in a container unless the Compose file changes them. */
const DEFAULT_CAPABILITIES = [
  ...['AUDIT_WRITE', 'CHOWN', 'DAC_OVERRIDE', 'FOWNER', 'FSETID', 'KILL', 'MKNOD', 'NET_BIND_SERVICE'],
  ...['NET_RAW', 'SETFCAP', 'SETGID', 'SETPCAP', 'SETUID', 'SYS_CHROOT'],
];

const bare = (name: string): string => name.toUpperCase().replace(/^CAP_/, '');

/**
 * Returns the capabilities of the service: the default capabilities of a container and `cap_add`, without
 * `cap_drop`.
 */
const capabilities = ({ own }: ComposeService): Translation => {
  const [added, dropped] = [textsOf(own['cap_add']).map(bare), textsOf(own['cap_drop']).map(bare)];
  if (added.includes('ALL')) return { lost: 'a service keeps all capabilities of its user: remove the user' };
  const first = dropped.includes('ALL') ? [] : DEFAULT_CAPABILITIES;
  const kept = [...new Set([...first, ...added])].filter(
    (name) => added.includes(name) || !dropped.includes(name),
  );
  return { keys: { capabilities: kept } };
};

const isRoot = (account = 'root'): boolean => /^(?:root|0)$/.test(account);

/**
 * Translates `user: USER:GROUP`. If the user is a number and the group is missing, the group gets the same
 * number. The group cannot be looked up, because there may be no account with this number.
 */
const account = (value: Plain): Translation => {
  const [user = '', written] = textOf(value).split(':');
  if (isRoot(user) && isRoot(written)) return { changed: 'the service runs as the user of the supervisor' };
  const isGuess = written === undefined && /^\d+$/.test(user);
  const group = isGuess ? user : written;
  return {
    keys: { user, ...(group !== undefined && { group }) },
    ...(isGuess && { changed: `the group is taken to be ${user}, too` }),
  };
};

const ULIMITS = ['nofile', 'nproc', 'memlock', 'core', 'stack', 'fsize'] as const;

const limitOf = (value: Plain): Limit | undefined => {
  const one = numberOf(isPlainMap(value) ? (value['soft'] ?? value['hard']) : value);
  return one === -1 ? 'unlimited' : one;
};

const isKnownLimit = (name: string, value: Plain): boolean =>
  limitOf(value) !== undefined && ULIMITS.some((known) => known === name);

const ulimits = (value: Plain): Translation => {
  const all = Object.entries(isPlainMap(value) ? value : {});
  const known = all.filter(([name, each]) => isKnownLimit(name, each));
  const unknown = all.filter((entry) => !known.includes(entry)).map(([name]) => name);
  const changed = known.filter(([, each]) => isPlainMap(each) && each['soft'] !== each['hard']);
  const names = changed.map(([name]) => name).join(', ');
  return {
    keys: Object.fromEntries(known.map(([name, each]) => [`limits.${name}`, limitOf(each) ?? 0])),
    ...(changed.length > 0 && { changed: `the soft limit of ${names} is the hard limit, too` }),
    ...(unknown.length > 0 && { lost: `sup sets no limit ${unknown.join(', ')}` }),
  };
};

const writtenLimits = ({ spec: { privilege } }: ComposeTarget): Translation => {
  const { limits = {} } = privilege;
  const found = ULIMITS.flatMap((name) => {
    const limit = limits[name];
    return limit === undefined ? [] : [[name, limit === 'unlimited' ? -1 : limit] as const];
  });
  return found.length === 0 ? {} : { keys: { ulimits: Object.fromEntries(found) } };
};

const cpusOf = (value: string): Readonly<Record<string, Plain>> => {
  const [quota = 'max', period = '100000'] = value.split(' ');
  return quota === 'max' ? {} : { cpus: Number(quota) / Number(period) };
};

/** The rows for `limits.cgroup`. This key needs a supervisor that was started with `--sys`. */
const CGROUP_ROWS: readonly ComposeRow[] = [
  {
    theirs: 'mem_limit',
    ours: ['limits.cgroup.memory_max'],
    note: 'Has an effect only with `--sys`.',
    read: sizeTo('limits.cgroup.memory_max'),
    write: ({ spec: { privilege } }) =>
      ifPresent(privilege.limits?.cgroup?.memoryMax, (most) => (most === 'max' ? {} : { mem_limit: most })),
  },
  {
    theirs: 'cpus',
    ours: ['limits.cgroup.cpu_max'],
    note: 'Has an effect only with `--sys`. `cpus: 0.5` corresponds to `50000 100000`.',
    read: translated('limits.cgroup.cpu_max', (value) => cpuMax(numberOf(value)), 'a number'),
    write: ({ spec: { privilege } }) => ifPresent(privilege.limits?.cgroup?.cpuMax, cpusOf),
  },
  {
    theirs: 'cpu_quota',
    ours: ['limits.cgroup.cpu_max'],
    note: 'Is used together with `cpu_period`, which is 100000 by default.',
    read: ({ value }, { own }) => ({
      keys: { 'limits.cgroup.cpu_max': `${textOf(value)} ${textOf(own['cpu_period'] ?? 100_000)}` },
    }),
  },
  { theirs: 'cpu_period', ours: [], note: 'Is used together with `cpu_quota`.', read: () => ({}) },
  {
    theirs: 'cpu_shares',
    ours: ['limits.cgroup.cpu_weight'],
    note: 'Has an effect only with `--sys`. The range is from 2 to 262144 in Compose, and from 1 to 10000 in `sup`.',
    read: translated(
      'limits.cgroup.cpu_weight',
      (value) => {
        const shares = numberOf(value);
        return shares === undefined
          ? undefined
          : Math.max(1, Math.round(1 + ((shares - 2) * 9999) / 262_142));
      },
      'a number',
    ),
    write: ({ spec: { privilege } }) =>
      ifPresent(privilege.limits?.cgroup?.cpuWeight, (weight) => ({
        cpu_shares: Math.round(2 + ((weight - 1) * 262_142) / 9999),
      })),
  },
  {
    theirs: 'pids_limit',
    ours: ['limits.cgroup.pids_max'],
    note: 'Has an effect only with `--sys`.',
    read: translated(
      'limits.cgroup.pids_max',
      (value) => (numberOf(value) === -1 ? 'max' : numberOf(value)),
      'a number',
    ),
    write: ({ spec: { privilege } }) =>
      ifPresent(privilege.limits?.cgroup?.pidsMax, (most) => ({ pids_limit: most === 'max' ? -1 : most })),
  },
];

/** The rows for users and limits. */
export const LIMIT_ROWS: readonly ComposeRow[] = [
  {
    theirs: 'user',
    ours: ['user', 'group'],
    note: 'Has an effect only with `--sys`.',
    read: ({ value }) => account(value),
    write: ({ spec: { privilege } }) =>
      ifPresent(privilege.user, (user) => ({
        user: privilege.group === undefined ? user : `${user}:${privilege.group}`,
      })),
  },
  {
    theirs: 'group_add',
    ours: ['supplementary_groups'],
    note: 'Has an effect only with `--sys`.',
    read: ({ value }) => ({ keys: { supplementary_groups: textsOf(value) } }),
    write: ({ spec: { privilege } }) =>
      privilege.supplementaryGroups.length === 0
        ? {}
        : { keys: { group_add: [...privilege.supplementaryGroups] } },
  },
  {
    theirs: 'cap_add',
    ours: ['capabilities'],
    note: 'Has an effect only with `--sys`. The list has all capabilities that are kept: the capabilities of a container, without the dropped capabilities.',
    read: (_, service) => capabilities(service),
    write: ({ spec: { privilege } }) =>
      ifPresent(privilege.capabilities, (kept) => ({
        ...(kept.length > 0 && { cap_add: kept.map(bare) }),
        cap_drop: ['ALL'],
      })),
  },
  {
    theirs: 'cap_drop',
    ours: ['capabilities'],
    read: (_, service) => (service.own['cap_add'] === undefined ? capabilities(service) : {}),
  },
  {
    theirs: 'ulimits',
    ours: ULIMITS.map((name) => `limits.${name}`),
    note: '`sup` has one value for the soft and the hard limit.',
    read: ({ value }) => ulimits(value),
    write: writtenLimits,
  },
  {
    theirs: 'oom_score_adj',
    ours: ['limits.oom_score_adj'],
    read: numberTo('limits.oom_score_adj'),
    write: ({ spec: { privilege } }) =>
      ifPresent(privilege.limits?.oomScoreAdj, (score) => ({ oom_score_adj: score })),
  },
  {
    theirs: 'cpuset',
    ours: ['limits.cpu_affinity'],
    read: translated('limits.cpu_affinity', (value) => processorList(textOf(value)), 'a list of CPUs'),
    write: ({ spec: { privilege } }) =>
      ifPresent(privilege.limits?.cpuAffinity, (cpus) => ({ cpuset: cpus.join(',') })),
  },
  ...CGROUP_ROWS,
  { theirs: 'mem_reservation', ours: [], read: lost('nothing is reserved for a service') },
];
