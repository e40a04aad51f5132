// The isolation object (`docs/manifest.md`, "isolation").
import { byShape } from '../shapes/by-shape.ts';
import { defaulted, optional } from '../shapes/field.ts';
import { list } from '../shapes/list.ts';
import { matching, oneOf, text } from '../scalars/text.ts';
import { deniableSyscall, syscall } from '../scalars/syscall.ts';
import { flag, whole } from '../scalars/number.ts';
import { object } from '../shapes/object.ts';

const absolutePaths = list(matching('absolute path', /^\//));

export const seccomp = object({
  name: 'seccomp',
  fields: {
    profile: defaulted(
      oneOf('baseline', 'none'),
      'baseline',
      'The filter to start from: `baseline` denies what a service never needs.',
    ),
    allow: optional(list(syscall), 'System calls to allow on top of the profile.'),
    deny: optional(list(deniableSyscall), 'System calls to deny on top of the profile.'),
    action: defaulted(oneOf('errno', 'kill', 'log'), 'errno', 'What a denied call does.'),
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
      'Paths below which programs may be run, and read. Without the key running is not restricted.',
    ),
  },
});

const portNumbers = list(whole({ min: 1, max: 65_535 }));

export const ports = object({
  name: 'ports',
  fields: {
    bind: optional(portNumbers, 'TCP ports that may be bound. Without the key any may be, with `[]` none.'),
    connect: optional(
      portNumbers,
      'TCP ports that may be connected to, on any host. Without the key any may be, with `[]` none.',
    ),
  },
});

export const isolation = object({
  name: 'isolation',
  fields: {
    network: defaulted(flag, false, 'Network namespace.'),
    mount: defaulted(flag, false, 'Mount namespace.'),
    pid: defaulted(flag, false, 'PID namespace, for processes the service forks after it started.'),
    user: defaulted(flag, false, 'User namespace.'),
    seccomp: optional(
      byShape(oneOf('baseline'), seccomp),
      'System call filter, compiled and applied before exec.',
    ),
    landlock: optional(landlock, 'Filesystem confinement.'),
    ports: optional(ports, 'TCP ports that may be bound and connected to.'),
    apparmor_profile: optional(text, 'Accepted, never applied.'),
    selinux_context: optional(text, 'Accepted, never applied.'),
    private_devices: defaulted(flag, false, 'Accepted, never applied.'),
    private_tmp: defaulted(flag, false, 'Accepted, never applied.'),
  },
});
