// Checks of `sup security` about the network and the system calls of a service. Linux shows whether a process
// has a filter, but not what the filter denies.
import { expandGroups } from '../../launch/seccomp/call-groups.ts';
import { ifKnown, openIf, type LivingProcess, type Openness, type SecurityCheck } from './security-check.ts';

const BOTH_LISTS = 2;

/** Returns 1 if the process has no filter; otherwise `undefined`, because the denied calls cannot be read. */
const withoutFilter = ({ process: { seccomp } }: LivingProcess): Openness =>
  seccomp?.mode === 'off' ? 1 : undefined;

const NETWORK: readonly SecurityCheck[] = [
  {
    id: 'network',
    open: 'the network of the machine',
    weight: 2,
    declared: ({ namespaces }) => openIf(!namespaces.network),
    living: ({ process: { namespaces } }) => ifKnown(namespaces?.network, (isOwn) => openIf(!isOwn)),
    fix: 'isolation: { network: true }',
  },
  {
    id: 'ports',
    open: 'TCP ports that it does not name',
    weight: 2,
    declared: ({ portLists, namespaces }) => (namespaces.network ? 0 : 1 - portLists / BOTH_LISTS),
    living: ({ process: { namespaces } }) => (namespaces?.network === true ? 0 : undefined),
    fix: 'isolation: { ports: { bind: [8080], connect: [] } }',
  },
  {
    id: 'address_families',
    open: 'sockets of rare kinds',
    weight: 2,
    declared: ({ namesFamilies }) => openIf(!namesFamilies),
    living: withoutFilter,
    fix: 'isolation: { seccomp: baseline }',
  },
];

interface CallGroup {
  readonly id: string;
  readonly open: string;
  readonly weight: number;
  /** The names of the calls and groups of calls that must all be denied for the check to be closed. */
  readonly calls: readonly string[];
}

const GROUPS: readonly CallGroup[] = [
  {
    id: 'calls_kernel',
    open: 'calls in which kernels often had flaws',
    weight: 3,
    calls: ['bpf', 'io_uring_setup', 'keyctl', 'perf_event_open', 'userfaultfd'],
  },
  { id: 'calls_mount', open: 'calls that mount', weight: 2, calls: ['mount', 'umount2', 'pivot_root'] },
  {
    id: 'calls_module',
    open: 'calls that load modules or another kernel',
    weight: 2,
    calls: ['@module', '@reboot', '@swap'],
  },
  {
    id: 'calls_debug',
    open: 'calls that trace other processes',
    weight: 2,
    calls: ['ptrace', 'process_vm_readv', 'process_vm_writev', 'pidfd_getfd'],
  },
  { id: 'calls_raw_io', open: 'calls that use hardware', weight: 1, calls: ['@raw-io'] },
  {
    id: 'calls_clock',
    open: 'calls that set the clock',
    weight: 1,
    calls: ['clock_settime', 'settimeofday'],
  },
];

const isEachDenied = (calls: readonly string[], denied: ReadonlySet<string>): boolean =>
  expandGroups(calls).every((call) => denied.has(call));

const FILTERS: readonly SecurityCheck[] = [
  {
    id: 'seccomp',
    open: 'no filter of system calls',
    weight: 2,
    declared: ({ hasFilter }) => openIf(!hasFilter),
    living: ({ process: { seccomp } }) => ifKnown(seccomp, ({ mode }) => openIf(mode === 'off')),
    fix: 'isolation: { seccomp: baseline }',
  },
  ...GROUPS.map(({ calls, ...rest }): SecurityCheck => ({
    ...rest,
    declared: ({ denied }) => openIf(!isEachDenied(calls, denied)),
    living: withoutFilter,
    fix: 'isolation: { seccomp: baseline }',
  })),
];

export const CALL_CHECKS: readonly SecurityCheck[] = [...NETWORK, ...FILTERS];
