// Checks of `sup security` about the files, devices and processes that a service sees.
import type { ProcessMount } from '../../domain/service/process-confinement.ts';
import { HIDDEN_SOURCE } from '../../domain/service/process-confinement.ts';
import type { DeclaredConfinement } from './declared-confinement.ts';
import { ifKnown, mountAt, mountOf, notShown, openIf, type SecurityCheck } from './security-check.ts';

type Mounts = readonly ProcessMount[];
type Part = keyof DeclaredConfinement['protect'];

/** The openness if all files can be read but not written, or if only some files are read-only. */
const PARTLY = 0.5;

const isReadOnly = (mounts: Mounts, path: string): boolean => mountOf(mounts, path)?.isReadOnly === true;

/** True if `sup` has covered the directory with an empty file system. */
const isCovered = (mounts: Mounts, path: string): boolean => mountAt(mounts, path)?.source === HIDDEN_SOURCE;

const opennessOfSystem = (mounts: Mounts): number => {
  if (isReadOnly(mounts, '/')) return 0;
  return isReadOnly(mounts, '/usr') && isReadOnly(mounts, '/etc') ? PARTLY : 1;
};

/**
 * Returns the openness of the home directories, `/root` and those below `/home`. It is 0 if `/root` or
 * `/home` is covered.
 */
const opennessOfHomes = (mounts: Mounts): number => {
  const isClosed = isCovered(mounts, '/root') || isCovered(mounts, '/home');
  if (isClosed) return 0;
  return isReadOnly(mounts, '/root') && isReadOnly(mounts, '/home') ? PARTLY : 1;
};

const HIDDEN_PROCESSES = /(?:^|,)hidepid=(?:ptraceable|invisible|2|4)(?:,|$)/;

const showsAllProcesses = (mounts: Mounts): boolean =>
  !HIDDEN_PROCESSES.test(mountAt(mounts, '/proc')?.options ?? '');

interface ProtectPart {
  readonly part: Part;
  readonly open: string;
  readonly weight: number;
  /** The value of the key that closes the check. Any other declared value closes the check partly. */
  readonly best: string;
  readonly mounted: (mounts: Mounts) => number;
  /** Returns the highest openness that the declaration of other parts permits. If absent, this is 1. */
  readonly leftOpen?: (protect: DeclaredConfinement['protect']) => number;
}

const PARTS: readonly ProtectPart[] = [
  {
    part: 'system',
    open: 'all files that its user may write',
    weight: 5,
    best: 'read_only',
    mounted: opennessOfSystem,
  },
  {
    part: 'kernel',
    open: 'settings of the kernel in /proc and /sys',
    weight: 4,
    best: 'read_only',
    mounted: (mounts) => openIf(!isReadOnly(mounts, '/proc/sys') || !isReadOnly(mounts, '/sys')),
  },
  {
    part: 'home',
    open: 'the home directories of users',
    weight: 3,
    best: 'hidden',
    mounted: opennessOfHomes,
    leftOpen: ({ system }) => (system === 'read_only' ? PARTLY : 1),
  },
  {
    part: 'devices',
    open: 'devices with hardware in /dev',
    weight: 3,
    best: 'minimal',
    mounted: (mounts) => openIf(!isCovered(mounts, '/dev')),
  },
  {
    part: 'proc',
    open: 'all processes of the machine in /proc',
    weight: 3,
    best: 'own',
    mounted: (mounts) => openIf(showsAllProcesses(mounts)),
  },
  {
    part: 'tmp',
    open: '/tmp is shared with other users',
    weight: 2,
    best: 'private',
    mounted: (mounts) => openIf(!isCovered(mounts, '/tmp')),
  },
];

const declaredPart = (value: string | undefined, best: string): number => {
  if (value === undefined) return 1;
  return value === best ? 0 : PARTLY;
};

const PROTECT_CHECKS: readonly SecurityCheck[] = PARTS.map(
  ({ part, open, weight, best, mounted, leftOpen }) => ({
    ...{ id: `protect_${part}`, open, weight },
    declared: ({ protect }) => Math.min(declaredPart(protect[part], best), leftOpen?.(protect) ?? 1),
    living: ({ process }) => ifKnown(process.mounts, mounted),
    fix: ({ protect }) =>
      Object.keys(protect).length === 0
        ? 'isolation: { protect: strict }'
        : `isolation: { protect: { ${part}: ${best} } }`,
  }),
);

/** The bits of a umask with which other users cannot access new files. */
const OTHERS = 0o007;
const OTHERS_WRITE = 0o002;

const opennessOfUmask = (umask: number): number => {
  if ((umask & OTHERS) === OTHERS) return 0;
  return (umask & OTHERS_WRITE) === 0 ? 1 : PARTLY;
};

const OPENNESS_OF_FILES = { all: 1, readable: PARTLY, named: 0 } as const;

const OTHER_CHECKS: readonly SecurityCheck[] = [
  {
    id: 'landlock',
    open: 'files that it does not name',
    weight: 3,
    declared: ({ files }) => OPENNESS_OF_FILES[files],
    living: notShown,
    fix: 'isolation: { landlock: { ro_paths: [/usr, /lib, /lib64, /etc, /dev] } }',
  },
  {
    id: 'pid_namespace',
    open: 'it can signal processes of its user',
    weight: 1,
    declared: ({ namespaces }) => openIf(!namespaces.pid),
    living: ({ process: { namespaces } }) => ifKnown(namespaces?.pid, (isOwn) => openIf(!isOwn)),
    fix: 'isolation: { pid: true }',
  },
  {
    id: 'user_namespace',
    open: 'its ids and rights are those of the machine',
    weight: 1,
    declared: ({ namespaces }) => openIf(!namespaces.user),
    living: ({ process: { namespaces } }) => ifKnown(namespaces?.user, (isOwn) => openIf(!isOwn)),
    fix: 'isolation: { user: true }',
  },
  {
    id: 'umask',
    open: 'other users can read its new files',
    weight: 1,
    declared: ({ umask }) => ifKnown(umask, opennessOfUmask),
    living: ({ process: { umask } }) => ifKnown(umask, opennessOfUmask),
    fix: 'umask: "0027"',
  },
  {
    id: 'environment',
    open: 'it inherits variables of the supervisor',
    weight: 1,
    declared: ({ isEnvironmentClean }) => openIf(!isEnvironmentClean),
    living: notShown,
    fix: 'env: { clean: true }',
  },
  {
    id: 'secrets',
    open: 'a secret is in env.vars, and in the records',
    weight: 2,
    // If the service has no secrets, there is nothing to judge.
    declared: ({ plainSecrets, hasSecretFiles }) => {
      if (plainSecrets.length > 0) return 1;
      return hasSecretFiles ? 0 : undefined;
    },
    living: notShown,
    fix: ({ plainSecrets: [name = 'PASSWORD'] }) =>
      `env: { secrets: { ${name}: { file: secrets/${name.toLowerCase()} } } }`,
  },
];

export const SIGHT_CHECKS: readonly SecurityCheck[] = [...PROTECT_CHECKS, ...OTHER_CHECKS];
