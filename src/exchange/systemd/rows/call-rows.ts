// Table rows that translate systemd's settings about system calls and address families to keys of `sup`, and
// back.
import { ADDRESS_FAMILIES } from '../../../streams/launch/seccomp/address-families.ts';
import { expandGroups, GROUP_NAMES } from '../../../streams/launch/seccomp/call-groups.ts';
import { BASELINE, BASELINE_ABSENT } from '../../../streams/launch/seccomp/filter.ts';
import { CALL_NAMES } from '../../../streams/launch/seccomp/system-calls.ts';
import type { SeccompSpec } from '../../../streams/domain/declared/spec.ts';
import {
  linesOf,
  lostRow,
  unneededRow,
  type UnitContext,
  type UnitExport,
  type UnitRow,
} from '../unit-context.ts';
import { plainWords } from '../unit-words.ts';
import type { Setting, Translation } from '../../key-table.ts';

/** Returns the name of the system call in a word such as `name:EPERM`, without the error number. */
const callName = (word: string): string => word.split(':', 1)[0] ?? word;

/** System calls that systemd 252 does not know. */
const NEWER_CALLS = `cachestat file_getattr file_setattr getxattrat listmount listxattrat lsm_get_self_attr
  lsm_list_modules lsm_set_self_attr mseal open_tree_attr removexattrat setxattrat statmount`.split(/\s+/);

const PROFILE = [...BASELINE, ...BASELINE_ABSENT];

const isUsable = (name: string): boolean =>
  (CALL_NAMES.includes(name) && name !== 'execve') || GROUP_NAMES.includes(name);

interface Filter {
  readonly isDenying: boolean;
  /** The system calls and groups of calls that are denied. */
  readonly denied: readonly string[];
  /**
   * Denied groups that `sup` does not have. Single calls that `sup` does not know are not listed, because
   * only other architectures have these calls.
   */
  readonly unknown: readonly string[];
}

const filterOf = (lines: readonly string[]): Filter => {
  const namesIn = (isDenied: boolean): readonly string[] =>
    lines
      .filter((line) => line.startsWith('~') === isDenied)
      .flatMap((line) => plainWords(line.replace(/^~/, '')))
      .map(callName);
  const isDenying = lines[0]?.startsWith('~') === true;
  const permitted = isDenying ? namesIn(false) : [];
  const denied = namesIn(true).filter((name) => !permitted.includes(name));
  return {
    isDenying,
    denied: denied.filter(isUsable),
    unknown: denied.filter((name) => name.startsWith('@') && !isUsable(name)),
  };
};

const filter = (setting: Setting, { value }: UnitContext): Translation => {
  const { isDenying, denied, unknown } = filterOf(linesOf(setting));
  const action = value('SystemCallErrorNumber') === undefined ? { action: 'kill' } : {};
  const lost =
    unknown.length === 0 ? {} : { lost: `${unknown.join(', ')}: seccomp has no such group, name its calls` };
  const all = expandGroups(denied);
  const isBaseline = PROFILE.every((name) => all.includes(name) || NEWER_CALLS.includes(name));
  if (isDenying && !isBaseline)
    return { ...lost, keys: { 'isolation.seccomp': { profile: 'none', deny: denied, ...action } } };
  const others = denied.filter((name) => !PROFILE.includes(name));
  const deny = others.length > 0 ? { deny: others } : {};
  return {
    ...lost,
    keys: { 'isolation.seccomp': { profile: 'baseline', ...deny, ...action } },
    ...(!isDenying && {
      changed:
        'the profile baseline denies what services do not need; it does not deny all that the unit does not name',
    }),
  };
};

const deniedBy = ({ profile, allow, deny }: SeccompSpec): readonly string[] => {
  const allowed = expandGroups(allow);
  const base = profile === 'baseline' ? PROFILE.filter((name) => !allowed.includes(name)) : [];
  return [...new Set([...base, ...deny])];
};

const ERROR_NUMBER = { errno: { 'Service.SystemCallErrorNumber': 'EPERM' }, kill: {}, log: {} } as const;

const filterWritten = ({ spec: { privilege } }: UnitExport): Translation => {
  const seccomp = privilege.isolation?.seccomp;
  if (seccomp === undefined) return {};
  const names = deniedBy(seccomp).filter((name) => !NEWER_CALLS.includes(name));
  const isLogged = seccomp.action === 'log';
  const list = isLogged
    ? { 'Service.SystemCallLog': names.join(' ') }
    : { 'Service.SystemCallFilter': `~${names.join(' ')}` };
  return {
    keys: {
      ...(names.length > 0 && { ...list, ...ERROR_NUMBER[seccomp.action] }),
      'Service.SystemCallArchitectures': 'native',
    },
  };
};

const families = (setting: Setting): Translation => {
  const lines = linesOf(setting);
  const isDenying = lines[0]?.startsWith('~') === true;
  const names = lines.flatMap((line) => line.replace(/^~/, '').split(/\s+/)).filter((name) => name !== '');
  if (names.includes('none')) return { keys: { 'isolation.address_families': [] } };
  if (isDenying)
    return {
      keys: { 'isolation.address_families': ADDRESS_FAMILIES.filter((name) => !names.includes(name)) },
    };
  const known = names.filter((name) => ADDRESS_FAMILIES.includes(name));
  const unknown = names.filter((name) => !known.includes(name));
  return {
    keys: { 'isolation.address_families': [...new Set(known)] },
    ...(unknown.length > 0 && { lost: `${unknown.join(', ')}: address_families has no such family` }),
  };
};

export const CALL_ROWS: readonly UnitRow[] = [
  {
    theirs: 'SystemCallFilter',
    ours: ['isolation.seccomp'],
    note: 'A list with `~` becomes `profile: none` with `deny`; groups are replaced by their system calls. A list of allowed calls becomes the profile `baseline`.',
    read: filter,
    write: filterWritten,
  },
  unneededRow(
    'SystemCallErrorNumber',
    'If this setting is given, `action` is `errno`. Otherwise `action` is `kill`.',
  ),
  unneededRow(
    'SystemCallArchitectures',
    'Calls of another architecture are always denied by `isolation.seccomp`.',
  ),
  lostRow('SystemCallLog', 'isolation.seccomp logs what it denies, or nothing'),
  {
    theirs: 'RestrictAddressFamilies',
    ours: ['isolation.address_families'],
    note: '`~` means all families but these.',
    read: families,
    write: ({ spec: { privilege } }) => {
      const names = privilege.isolation?.addressFamilies;
      if (names === undefined) return {};
      return { keys: { 'Service.RestrictAddressFamilies': names.length === 0 ? 'none' : names.join(' ') } };
    },
  },
];
