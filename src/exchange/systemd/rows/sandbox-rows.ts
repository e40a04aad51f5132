// Table rows that translate systemd's settings about capabilities, namespaces and ports to keys of `sup`, and
// back.
import { capabilityName, CAPABILITIES } from '../../../streams/launch/capability-steps.ts';
import type { IsolationSpec } from '../../../streams/domain/declared/spec.ts';
import {
  linesOf,
  lostRow,
  textOf,
  type UnitContext,
  type UnitExport,
  type UnitRow,
} from '../unit-context.ts';
import { isNo, isYes } from '../unit-values.ts';
import { plainWords } from '../unit-words.ts';
import { type Setting, type Translation } from '../../key-table.ts';

const ALL_CAPABILITIES = Array.from({ length: CAPABILITIES }, (_, at) => capabilityName(at) ?? '');

const shortName = (name: string): string => name.replace(/^CAP_/, '');

/**
 * Returns the set of capabilities that the lines of a setting describe. Lines with `~` remove capabilities
 * from it.
 */
const capabilitySet = (lines: readonly string[], whole: readonly string[]): readonly string[] => {
  let set: readonly string[] = lines[0]?.startsWith('~') ? whole : [];
  for (const line of lines) {
    const names = line
      .replace(/^~/, '')
      .split(/\s+/)
      .filter((name) => name !== '')
      .map((name) => name.toUpperCase());
    if (line.startsWith('~')) set = set.filter((name) => !names.includes(name));
    else if (names.length === 0) set = [];
    else set = [...new Set([...set, ...names])];
  }
  return set.filter((name) => ALL_CAPABILITIES.includes(name));
};

const isRoot = (user: string | undefined): boolean => user === undefined || user === 'root' || user === '0';

const bounding = (setting: Setting, { value, values }: UnitContext): Translation => {
  const set = capabilitySet(linesOf(setting), ALL_CAPABILITIES).map(shortName);
  if (isRoot(value('User')) || set.length === 0)
    return capabilitySet(values('AmbientCapabilities'), []).length > 0 && !isRoot(value('User'))
      ? {}
      : { keys: { capabilities: set } };
  return values('AmbientCapabilities').length > 0
    ? {}
    : {
        changed:
          'a program of the service that belongs to root and is set-user-ID can gain more; without one the service has none',
      };
};

const ambient = (setting: Setting, { value }: UnitContext): Translation => {
  const set = capabilitySet(linesOf(setting), ALL_CAPABILITIES).map(shortName);
  return isRoot(value('User')) || set.length === 0 ? {} : { keys: { capabilities: set } };
};

const capabilitiesWritten = ({ spec: { privilege } }: UnitExport): Translation => {
  const names = privilege.capabilities?.join(' ');
  return names === undefined
    ? {}
    : {
        keys: {
          'Service.CapabilityBoundingSet': names,
          ...(!isRoot(privilege.user) && names !== '' && { 'Service.AmbientCapabilities': names }),
        },
      };
};

type Switch = 'network' | 'mount' | 'user';

type SwitchEffect = Pick<Translation, 'changed'>;

const switchRow = (
  theirs: string,
  [key, field]: readonly [key: string, field: Switch],
  effect: SwitchEffect = {},
): UnitRow => ({
  theirs,
  ours: [`isolation.${key}`],
  read: (setting) => (isYes(textOf(setting)) ? { keys: { [`isolation.${key}`]: true }, ...effect } : {}),
  write: ({ spec: { privilege } }) =>
    privilege.isolation?.[field] === true ? { keys: { [`Service.${theirs}`]: 'yes' } } : {},
});

const NOT_APPLIED = 'sup accepts the key and does not apply it yet';

const PORT_RULE = /^(?:ipv[46]:)?(?:tcp:)?(\d+)$/;

const ports = (setting: Setting, { values }: UnitContext): Translation => {
  if (!values('SocketBindDeny').flatMap(plainWords).includes('any'))
    return { lost: 'isolation.ports.bind lists the ports that are permitted' };
  // `SocketBindAllow=` is translated together with `SocketBindDeny=`.
  if (setting.key === 'SocketBindAllow') return {};
  const allowed = values('SocketBindAllow').flatMap(plainWords);
  const numbers = allowed.flatMap((rule) => PORT_RULE.exec(rule)?.[1] ?? []).map(Number);
  const others = allowed.filter((rule) => !PORT_RULE.test(rule));
  return {
    keys: { 'isolation.ports.bind': [...new Set(numbers)] },
    ...(others.length > 0 && { lost: `${others.join(', ')}: a port is one number of TCP` }),
  };
};

const portsWritten = ({ spec: { privilege } }: UnitExport): Translation => {
  const { bind, connect } = privilege.isolation?.ports ?? {};
  return {
    ...(bind !== undefined && {
      keys: {
        'Service.SocketBindDeny': 'any',
        ...(bind.length > 0 && { 'Service.SocketBindAllow': bind.map((port) => `tcp:${port}`) }),
      },
    }),
    ...(connect !== undefined && {
      lost: 'a unit has no list of ports to connect to; IPAddressAllow= lists addresses',
    }),
  };
};

const named = (
  theirs: string,
  key: string,
  find: (isolation: IsolationSpec) => string | undefined,
): UnitRow => ({
  theirs,
  ours: [`isolation.${key}`],
  note: 'Lost: `sup` accepts the key and does not apply it.',
  read: (setting) => ({ keys: { [`isolation.${key}`]: textOf(setting) }, lost: NOT_APPLIED }),
  write: ({ spec: { privilege } }) => {
    const value = privilege.isolation && find(privilege.isolation);
    return value === undefined ? {} : { keys: { [`Service.${theirs}`]: value } };
  },
});

export const SANDBOX_ROWS: readonly UnitRow[] = [
  {
    theirs: 'CapabilityBoundingSet',
    ours: ['capabilities'],
    note: 'The capabilities that a service of root keeps.',
    read: bounding,
  },
  {
    theirs: 'AmbientCapabilities',
    ours: ['capabilities'],
    note: 'The capabilities that a service with a `user` keeps. The export writes both sets.',
    read: ambient,
    write: capabilitiesWritten,
  },
  {
    theirs: 'NoNewPrivileges',
    ours: ['isolation.no_new_privs'],
    read: (setting) => ({ keys: { 'isolation.no_new_privs': isYes(textOf(setting)) } }),
    write: ({ spec: { privilege } }) => {
      const value = privilege.isolation?.noNewPrivs;
      return value === undefined ? {} : { keys: { 'Service.NoNewPrivileges': value ? 'yes' : 'no' } };
    },
  },
  switchRow('PrivateNetwork', ['network', 'network']),
  switchRow('PrivateMounts', ['mount', 'mount']),
  switchRow('PrivateUsers', ['user', 'user'], {
    changed: 'the service is root of the namespace if it has no user',
  }),
  {
    theirs: 'isolation.pid',
    ours: ['isolation.pid'],
    note: 'Lost: this systemd has no namespace for process ids.',
    write: ({ spec: { privilege } }) =>
      privilege.isolation?.pid === true
        ? { lost: 'a unit has no namespace for process ids; systemd 257 or newer knows PrivatePIDs=' }
        : {},
  },
  {
    theirs: 'SocketBindDeny',
    also: ['SocketBindAllow'],
    ours: ['isolation.ports'],
    note: '`SocketBindDeny=any` is used together with the allowed ports. `ports.connect` is lost.',
    read: ports,
    write: portsWritten,
  },
  named('AppArmorProfile', 'apparmor_profile', ({ apparmorProfile }) => apparmorProfile),
  named('SELinuxContext', 'selinux_context', ({ selinuxContext }) => selinuxContext),
  lostRow('RestrictNamespaces', 'the profile baseline of isolation.seccomp denies new namespaces', isNo),
  lostRow(
    'ProtectClock ProtectControlGroups ProtectHostname',
    'isolation has no such switch; without the capability for it, and with the profile baseline of isolation.seccomp, a service cannot change it',
    isNo,
  ),
  lostRow(
    'ProcSubset',
    'isolation.protect.proc hides processes, not the other files of /proc',
    (value) => value === 'all',
  ),
  lostRow(
    'MemoryDenyWriteExecute LockPersonality RestrictRealtime RestrictSUIDSGID RestrictFileSystems',
    'isolation.seccomp judges no such arguments',
    isNo,
  ),
  lostRow(
    'PrivateIPC IPCNamespacePath NetworkNamespacePath JoinsNamespaceOf',
    'a service has namespaces of its own, and joins no others',
    isNo,
  ),
  lostRow(
    'IPAddressAllow IPAddressDeny IPIngressFilterPath IPEgressFilterPath RestrictNetworkInterfaces BPFProgram',
    'isolation.ports lists ports, and isolation.network takes the network away; there are no lists of addresses',
    (value) => value === '',
  ),
  lostRow(
    'SmackProcessLabel Personality SecureBits KeyringMode',
    'sup does not set it',
    (value) => value === 'inherit',
  ),
];
