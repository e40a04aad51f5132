// Decodes `limits` and `isolation` (`docs/manifest.md`, "limits", "limits.cgroup", "isolation").
import { join } from 'node:path';
import { refuseUnsafePlace } from '../check/safe-place.ts';
import { flag, numberOf, tooLarge, whole } from './scalars/number.ts';
import { orReference, read, refused, scalar } from './scalars/scalar.ts';
import { sizeOr } from './scalars/sizes.ts';
import { addressFamily, deniableSyscall, syscall } from './scalars/system-values.ts';
import { matching, oneOf, text } from './scalars/text.ts';
import { byShape, list } from './shapes/composite.ts';
import { spotBelow } from './shapes/decoder.ts';
import { defaulted, optional } from './shapes/fields.ts';
import { object } from './shapes/object.ts';
import type { Limit } from '../../streams/domain/declared/spec.ts';
import { CGROUP_ROOT, isKernelsOwn } from '../../streams/launch/cgroup-path.ts';

const absolutePath = matching('absolute path', /^\//);
const cpuMax = matching('pair of quota and period, or `max`', /^(max|(max|[1-9]\d*) [1-9]\d*)$/);

const pidsMax = scalar<number | 'max'>({
  label: 'number or `max`',
  schema: orReference({ anyOf: [{ type: 'integer', minimum: 1 }, { const: 'max' }] }),
  read: ({ kind, text }) => {
    if (text === 'max') return read('max');
    const value = kind === 'text' ? Number.NaN : numberOf(text);
    return Number.isSafeInteger(value) && value >= 1
      ? read(value)
      : refused(tooLarge(value) ?? 'is neither a whole number, 1 or more, nor max');
  },
});

export const cgroup = object({
  name: 'cgroup',
  fields: {
    root: defaulted(absolutePath, CGROUP_ROOT, 'Base directory of the cgroups.'),
    memory_max: optional(sizeOr('max'), 'Written to `memory.max`.'),
    memory_high: optional(
      sizeOr('max'),
      'Written to `memory.high`: above it the service is slowed down, not killed.',
    ),
    cpu_max: optional(
      cpuMax,
      'Written to `cpu.max`: `max`, or quota and period in microseconds: `50000 100000`.',
    ),
    cpu_weight: optional(whole({ min: 1, max: 10_000 }), 'Written to `cpu.weight`, 1..10000.'),
    pids_max: optional(pidsMax, 'Written to `pids.max`: processes and threads, or `max`.'),
  },
  check: ({ root }, spot, context) => {
    if (!isKernelsOwn(root)) refuseUnsafePlace(join(root, 'unit'), spotBelow(spot, 'root'), context);
  },
});

const UNLIMITED = 'unlimited';

const count = scalar<Limit>({
  label: `number or \`${UNLIMITED}\``,
  schema: orReference({ anyOf: [{ type: 'integer', minimum: 0 }, { const: UNLIMITED }] }),
  read: ({ kind, text }) => {
    if (text === UNLIMITED) return read(UNLIMITED);
    const value = kind === 'text' ? Number.NaN : numberOf(text);
    return Number.isSafeInteger(value) && value >= 0
      ? read(value)
      : refused(tooLarge(value) ?? `is neither a whole number, 0 or more, nor ${UNLIMITED}`);
  },
});

export const limits = object({
  name: 'limits',
  fields: {
    nofile: optional(count, 'Open file descriptors (RLIMIT_NOFILE).'),
    nproc: optional(count, 'Processes (RLIMIT_NPROC).'),
    memlock: optional(sizeOr(UNLIMITED), 'Locked memory in bytes (RLIMIT_MEMLOCK).'),
    core: optional(sizeOr(UNLIMITED), 'Size of a core dump in bytes (RLIMIT_CORE); 0: none.'),
    stack: optional(sizeOr(UNLIMITED), 'Size of the stack of the main thread in bytes (RLIMIT_STACK).'),
    fsize: optional(sizeOr(UNLIMITED), 'Size of a file that the service writes in bytes (RLIMIT_FSIZE).'),
    nice: optional(whole({ min: -20, max: 19 }), 'Scheduling priority, -20..19.'),
    oom_score_adj: optional(
      whole({ min: -1000, max: 1000 }),
      'How soon the kernel kills the service if memory runs out, from -1000 (never) to 1000 (first).',
    ),
    cpu_affinity: optional(
      list(whole({ min: 0, max: 8191 }), { min: 1 }),
      'Indices of the CPUs the service may run on.',
    ),
    cgroup: optional(cgroup, 'cgroup v2 controls.'),
  },
});

const absolutePaths = list(matching('absolute path', /^\//));

export const seccomp = object({
  name: 'seccomp',
  fields: {
    profile: defaulted(
      oneOf('baseline', 'none'),
      'baseline',
      'The filter to start from: `baseline` denies what a service never needs.',
    ),
    allow: optional(
      list(syscall),
      'System calls, or groups such as `@debug`, to allow in addition to the profile.',
    ),
    deny: optional(
      list(deniableSyscall),
      'System calls, or groups such as `@mount`, to deny in addition to the profile.',
    ),
    action: defaulted(
      oneOf('errno', 'kill', 'log'),
      'errno',
      'What happens at a denied call: it fails (`errno`), the process is killed (`kill`), or the call is only logged (`log`).',
    ),
  },
});

export const landlock = object({
  name: 'landlock',
  fields: {
    ro_paths: optional(absolutePaths, 'Paths below which everything may be read.'),
    rw_paths: optional(
      absolutePaths,
      'Paths below which everything may be read and written, made and removed.',
    ),
    exec_paths: optional(
      absolutePaths,
      'Paths below which programs may be run and read. Without the key all programs may be run.',
    ),
  },
});

const portNumbers = list(whole({ min: 1, max: 65_535 }));

export const ports = object({
  name: 'ports',
  fields: {
    bind: optional(
      portNumbers,
      'TCP ports that may be bound. Without the key all ports may be bound. With `[]` no port may be bound.',
    ),
    connect: optional(
      portNumbers,
      'TCP ports that the service may connect to, on any host. Without the key it may connect to all ports. With `[]` it may connect to no port.',
    ),
  },
});

export const protect = object({
  name: 'protect',
  fields: {
    system: optional(
      oneOf('read_only', 'os_read_only'),
      '`read_only`: only files below `landlock.rw_paths` can be written. `os_read_only`: files of the operating system cannot be written.',
    ),
    home: optional(
      oneOf('hidden', 'read_only'),
      '`/home`, `/root` and `/run/user` are empty, or cannot be written.',
    ),
    tmp: optional(oneOf('private'), '`/tmp` and `/var/tmp` are empty directories of its own, in memory.'),
    devices: optional(
      oneOf('minimal'),
      '`/dev` has only devices without hardware, such as `null`, `urandom` and terminals.',
    ),
    proc: optional(oneOf('own'), '`/proc` shows only its own processes.'),
    kernel: optional(
      oneOf('read_only'),
      'Settings of the kernel in `/proc` and `/sys` cannot be changed, and modules cannot be loaded.',
    ),
  },
});

export const isolation = object({
  name: 'isolation',
  fields: {
    network: defaulted(flag, false, 'Network namespace.'),
    mount: defaulted(flag, false, 'Mount namespace.'),
    pid: defaulted(flag, false, 'PID namespace, in which the service is process 1.'),
    user: defaulted(flag, false, 'User namespace.'),
    seccomp: optional(
      byShape(oneOf('baseline'), seccomp),
      'System call filter, compiled and applied before exec.',
    ),
    landlock: optional(landlock, 'Filesystem confinement.'),
    ports: optional(ports, 'TCP ports that may be bound and connected to.'),
    address_families: optional(
      list(addressFamily),
      'The address families of which sockets may be made. With `[]` no socket may be made.',
    ),
    protect: optional(
      byShape(oneOf('strict', 'full', 'off'), protect),
      'Which files, devices and processes of the machine the service sees, in a mount namespace.',
    ),
    no_new_privs: optional(
      flag,
      'No program of the service gains rights when it is run, for example by set-user-ID. With version 3 and another `user` the default is `true`.',
    ),
    apparmor_profile: optional(text, 'Accepted, never applied.'),
    selinux_context: optional(text, 'Accepted, never applied.'),
    private_devices: defaulted(flag, false, 'Accepted, never applied.'),
    private_tmp: defaulted(flag, false, 'Accepted, never applied.'),
  },
});
