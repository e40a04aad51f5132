// Compiles `isolation.seccomp` and `isolation.address_families` to one program, which Linux runs at each
// system call. Calls of another ABI (32 bits, x32) are treated as denied, because this ABI uses other numbers
// for calls. The profile `baseline` denies calls that services do not need and attackers use, similar to the
// default profile of container engines.
import type { SeccompSpec } from '../../domain/declared/spec.ts';
import {
  ARCHITECTURE_AT,
  CALL_AT,
  FIRST_ARGUMENT_AT,
  give,
  ifAnyOf,
  ifAtLeast,
  ifEqual,
  type Instruction,
  load,
  RETURN,
  SECOND_ARGUMENT_AT,
} from './bpf.ts';
import { familyNumbers } from './address-families.ts';
import { expandGroups } from './call-groups.ts';
import { type Architecture, callNumber, highestCall } from './system-calls.ts';

/** The calls that `baseline` denies. A denied call has the result that `action` declares. */
export const BASELINE: readonly string[] = `
  acct add_key adjtimex bpf clock_adjtime clock_settime create_module delete_module finit_module fsconfig fsmount fsopen
  fspick get_kernel_syms init_module ioperm iopl kcmp kexec_file_load kexec_load keyctl lookup_dcookie
  modify_ldt mount mount_setattr move_mount move_pages nfsservctl open_by_handle_at open_tree open_tree_attr perf_event_open
  pidfd_getfd pivot_root process_madvise process_vm_readv process_vm_writev ptrace query_module quotactl quotactl_fd
  reboot request_key setdomainname sethostname setns settimeofday swapoff swapon sysfs syslog umount2 unshare uselib
  userfaultfd ustat vhangup`
  .trim()
  .split(/\s+/);

/** The calls of io_uring. They can create sockets in a way that a filter cannot see. */
const RINGS = ['io_uring_setup', 'io_uring_enter', 'io_uring_register'];

/**
 * The calls that always fail with ENOSYS in `baseline`. Example: a filter cannot see the flags of `clone3`.
 * If `clone3` fails with ENOSYS, programs use `clone`.
 */
export const BASELINE_ABSENT: readonly string[] = ['clone3', 'name_to_handle_at', ...RINGS];

/** The flags of `clone` that create a namespace. `baseline` denies a call with any of them. */
const NAMESPACE_FLAGS = 0x7e02_0000;

/** The address families that `baseline` permits. A socket of another family fails with EAFNOSUPPORT. */
const BASELINE_FAMILIES = ['AF_UNIX', 'AF_INET', 'AF_INET6', 'AF_NETLINK'];

/** The ioctl requests TIOCSTI and TIOCLINUX. They inject input into a terminal, as if it were typed. */
const TERMINAL_INJECTION: readonly number[] = [0x5412, 0x541c];

/** The arguments of personality(2) that do not disable a protection such as address randomization. */
const PERSONALITIES: readonly number[] = [0, 0x8, 0x2_0000, 0x2_0008, 0xffff_ffff];

const MACHINES: Readonly<Record<Architecture, number>> = { x64: 0xc000_003e, arm64: 0xc000_00b7 };
/** The first call number of the x32 ABI. All higher numbers belong to this ABI too. */
const X32 = 0x4000_0000;
const EPERM = 1;
const ENOSYS = 38;
const EAFNOSUPPORT = 97;

const ACTIONS: Readonly<Record<SeccompSpec['action'], number>> = {
  errno: RETURN.errno(EPERM),
  kill: RETURN.kill,
  log: RETURN.log,
};

const thisMachineOnly = (architecture: Architecture, denial: number): readonly Instruction[] => [
  load(ARCHITECTURE_AT),
  ifEqual(MACHINES[architecture], [1, 0]),
  give(denial),
  load(CALL_AT),
  ifAtLeast(X32, [0, 1]),
  give(denial),
];

const deny = (call: number, answer: number): readonly Instruction[] => [ifEqual(call, [0, 1]), give(answer)];

const isOneOf = (values: readonly number[], verdict: number): readonly Instruction[] =>
  values.flatMap((value) => [ifEqual(value, [0, 1]), give(verdict)]);

/**
 * Returns, for each call name, the instructions that test an argument of the call and allow or deny the call.
 */
const judgements = (
  answer: number,
  families: readonly string[],
): Readonly<Record<string, readonly Instruction[]>> => {
  // A denied family always gives EAFNOSUPPORT, because programs then continue without this family.
  const family = [
    load(FIRST_ARGUMENT_AT),
    ...isOneOf(familyNumbers(families), RETURN.allow),
    give(RETURN.errno(EAFNOSUPPORT)),
  ];
  return {
    clone: [load(FIRST_ARGUMENT_AT), ifAnyOf(NAMESPACE_FLAGS, [0, 1]), give(answer), give(RETURN.allow)],
    ioctl: [load(SECOND_ARGUMENT_AT), ...isOneOf(TERMINAL_INJECTION, answer), give(RETURN.allow)],
    personality: [load(FIRST_ARGUMENT_AT), ...isOneOf(PERSONALITIES, RETURN.allow), give(answer)],
    socket: family,
    socketpair: family,
  };
};

const judge = (call: number, body: readonly Instruction[]): readonly Instruction[] => [
  ifEqual(call, [0, body.length]),
  ...body,
];

interface Names {
  readonly denied: readonly string[];
  readonly absent: readonly string[];
  /** Calls that are allowed or denied depending on an argument. */
  readonly judged: readonly string[];
  /** True if calls that are newer than the table of calls fail with ENOSYS. */
  readonly knownOnly: boolean;
}

const JUDGED = Object.keys(judgements(0, []));
const SOCKETS = ['socket', 'socketpair'];

/** The parts of `isolation` that one filter enforces. */
export interface Filtered {
  /** The declared profile and its exceptions. If absent, only `families` and `denied` restrict calls. */
  readonly seccomp?: SeccompSpec | undefined;
  /** The permitted socket families, in the form `AF_XXX`. If absent, the profile decides. */
  readonly families?: readonly string[] | undefined;
  /** Additional calls to deny. A call in `seccomp.allow` is not denied. */
  readonly denied?: readonly string[] | undefined;
}

/** The profile for a service that does not declare `isolation.seccomp`. It denies no call by its name. */
const NO_PROFILE: SeccompSpec = { profile: 'none', allow: [], deny: [], action: 'errno' };

const namesOf = ({ seccomp = NO_PROFILE, families, denied = [] }: Filtered): Names => {
  const base = seccomp.profile === 'baseline';
  const [allow, named] = [expandGroups(seccomp.allow), expandGroups(seccomp.deny)];
  const stays = (name: string): boolean => !allow.includes(name) && !named.includes(name);
  const declared = families === undefined ? [] : SOCKETS.filter((name) => !named.includes(name));
  return {
    denied: [...new Set([...(base ? BASELINE : []), ...denied].filter(stays)), ...named],
    absent: base ? BASELINE_ABSENT.filter(stays) : families === undefined ? [] : RINGS.filter(stays),
    judged: [...new Set([...declared, ...(base ? JUDGED.filter(stays) : [])])],
    knownOnly: base,
  };
};

/** Returns the system calls that never succeed, whatever their arguments are. */
export const deniedCalls = (filtered: Filtered): ReadonlySet<string> => {
  const { denied, absent } = namesOf(filtered);
  return new Set(filtered.seccomp?.action === 'log' ? absent : [...denied, ...absent]);
};

/** Returns the filter program. A call that is in both `allow` and `deny` is denied. */
export const filterProgram = (filtered: Filtered, architecture: Architecture): readonly Instruction[] => {
  const answer = ACTIONS[(filtered.seccomp ?? NO_PROFILE).action];
  const { denied, absent, judged, knownOnly } = namesOf(filtered);
  const bodies = judgements(answer, filtered.families ?? BASELINE_FAMILIES);
  const numbers = (names: readonly string[]): readonly number[] =>
    names.flatMap((name) => callNumber(name, architecture) ?? []);
  return [
    ...thisMachineOnly(architecture, answer),
    ...numbers(denied).flatMap((call) => deny(call, answer)),
    ...numbers(absent).flatMap((call) => deny(call, RETURN.errno(ENOSYS))),
    // Programs fall back to older calls if a call fails with ENOSYS.
    ...(knownOnly ? [ifAtLeast(highestCall(architecture) + 1, [0, 1]), give(RETURN.errno(ENOSYS))] : []),
    ...judged.flatMap((name) => numbers([name]).flatMap((call) => judge(call, bodies[name] ?? []))),
    give(RETURN.allow),
  ];
};
