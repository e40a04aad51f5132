// Checks of `sup security` about the user, groups and capabilities of a service.
import {
  capabilitiesOf,
  ifKnown,
  notShown,
  numbersOf,
  openIf,
  type LivingProcess,
  type SecurityCheck,
} from './security-check.ts';

const ROOT = 0;

const hasUid =
  (uid: (living: LivingProcess) => number) =>
  (living: LivingProcess): number | undefined =>
    ifKnown(living.process.uids, (uids) => openIf(uids.includes(uid(living))));

/**
 * The manifest line that takes a service out of the group root, for each key that can put it into this group.
 */
const OTHER_GROUPS = {
  user: 'user: www-data',
  group: 'group: www-data',
  supplementary_groups: 'supplementary_groups: []',
} as const;

const IDENTITY: readonly SecurityCheck[] = [
  {
    id: 'user',
    open: 'it runs as root',
    weight: 10,
    declared: ({ isRoot }) => openIf(isRoot),
    living: hasUid(() => ROOT),
    fix: 'user: www-data',
  },
  {
    id: 'own_user',
    open: 'it runs as the user of the supervisor',
    weight: 4,
    declared: ({ sharesUser }) => openIf(sharesUser),
    living: hasUid(({ ownUid }) => ownUid),
    fix: 'user: www-data',
  },
  {
    id: 'root_group',
    open: 'it is in the group root',
    weight: 2,
    declared: ({ rootGroup }) => openIf(rootGroup !== undefined),
    living: ({ process: { gids, groups } }) => gids && groups && openIf([...gids, ...groups].includes(ROOT)),
    fix: ({ rootGroup }) => OTHER_GROUPS[rootGroup ?? 'user'],
  },
  {
    id: 'control',
    open: 'it may command its supervisor',
    weight: 3,
    declared: ({ mayCommand }) => openIf(mayCommand),
    living: notShown,
    fix: ({ isGranted }) => (isGranted ? 'control: false' : 'isolation: { no_new_privs: true }'),
  },
];

interface CapabilityGroup {
  readonly id: string;
  readonly open: string;
  readonly weight: number;
  readonly members: readonly number[];
}

const GROUPS: readonly CapabilityGroup[] = [
  {
    id: 'cap_sys_admin',
    open: 'CAP_SYS_ADMIN: it may mount, and much else',
    weight: 6,
    members: numbersOf('SYS_ADMIN'),
  },
  {
    id: 'cap_kernel',
    open: 'it may load code into the kernel',
    weight: 5,
    members: numbersOf('SYS_MODULE SYS_RAWIO SYS_BOOT BPF PERFMON MAC_ADMIN MAC_OVERRIDE SYSLOG'),
  },
  {
    id: 'cap_files',
    open: 'it may use files of all users',
    weight: 5,
    members: numbersOf('DAC_OVERRIDE DAC_READ_SEARCH CHOWN FOWNER FSETID'),
  },
  {
    id: 'cap_ids',
    open: 'it may become any user, or gain any right',
    weight: 4,
    members: numbersOf('SETUID SETGID SETPCAP SETFCAP'),
  },
  {
    id: 'cap_processes',
    open: 'it may trace or signal all processes',
    weight: 4,
    members: numbersOf('SYS_PTRACE KILL CHECKPOINT_RESTORE'),
  },
  {
    id: 'cap_network',
    open: 'it may configure or listen to the network',
    weight: 3,
    members: numbersOf('NET_ADMIN NET_RAW'),
  },
  {
    id: 'cap_others',
    open: 'it may set clocks, limits and other things',
    weight: 2,
    members: numbersOf(
      `LINUX_IMMUTABLE NET_BROADCAST IPC_LOCK IPC_OWNER SYS_CHROOT SYS_PACCT SYS_NICE SYS_RESOURCE SYS_TIME
      SYS_TTY_CONFIG MKNOD LEASE AUDIT_WRITE AUDIT_CONTROL WAKE_ALARM BLOCK_SUSPEND AUDIT_READ`,
    ),
  },
];

/** The capabilities that open a check. CAP_NET_BIND_SERVICE is not one of them: it only permits low ports. */
const COUNTED = GROUPS.flatMap(({ members }) => members);

const hasAny = (held: readonly number[], members: readonly number[]): number =>
  openIf(members.some((number) => held.includes(number)));

const CAPABILITY_CHECKS: readonly SecurityCheck[] = GROUPS.map(({ members, ...rest }) => ({
  ...rest,
  declared: ({ capabilities }) => hasAny(capabilities, members),
  living: ({ process }) => ifKnown(capabilitiesOf(process, 'permitted'), (held) => hasAny(held, members)),
  fix: 'capabilities: []',
}));

const GAINING: readonly SecurityCheck[] = [
  {
    id: 'no_new_privs',
    open: 'a set-user-ID program gives it more rights',
    weight: 4,
    declared: ({ noNewPrivs }) => openIf(!noNewPrivs),
    living: ({ process }) => ifKnown(process.noNewPrivs, (isOn) => openIf(!isOn)),
    fix: 'isolation: { no_new_privs: true }',
  },
  {
    id: 'bounding_set',
    open: 'a later program may have capabilities again',
    weight: 2,
    declared: ({ bounding }) => hasAny(bounding, COUNTED),
    living: ({ process }) => ifKnown(capabilitiesOf(process, 'bounding'), (held) => hasAny(held, COUNTED)),
    fix: 'capabilities: []',
  },
];

export const IDENTITY_CHECKS: readonly SecurityCheck[] = [...IDENTITY, ...CAPABILITY_CHECKS, ...GAINING];
