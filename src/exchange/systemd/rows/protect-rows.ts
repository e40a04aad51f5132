// Table rows that translate systemd's settings about hidden and read-only parts of the machine to
// `isolation.protect`, and back.
import type { ProtectSpec } from '../../../streams/domain/declared/spec.ts';
import { textOf, type UnitContext, type UnitRow } from '../unit-context.ts';
import { isNo, isYes } from '../unit-values.ts';
import { ownValue, type Setting, type Translation } from '../../key-table.ts';

interface Part {
  readonly theirs: string;
  readonly part: keyof ProtectSpec;
  readonly note: string;
  /**
   * For each value of the unit, the value of the manifest. The key `yes` is for every word that systemd reads
   * as true.
   */
  readonly values: Readonly<Record<string, readonly [ours: string, changed?: string]>>;
  /** For each value of the manifest, the value of the unit. */
  readonly written: Readonly<Record<string, string>>;
  /** An older key of the manifest that means the same. */
  readonly old?: 'privateTmp' | 'privateDevices';
}

const isOff = (value: string): boolean => value === '' || value === 'default' || isNo(value);

const partRow = ({ theirs, part, note, values, written, old }: Part): UnitRow => ({
  ...{ theirs, note },
  ours: [`isolation.protect.${part}`, ...(old === undefined ? [] : [`isolation.${OLD_KEYS[old]}`])],
  read: (setting) => {
    const value = textOf(setting);
    if (isOff(value)) return {};
    const [ours, changed] = ownValue(values, isYes(value) ? 'yes' : value) ?? [];
    if (ours === undefined) return { lost: `${value}: isolation.protect.${part} has no such value` };
    return { keys: { [`isolation.protect.${part}`]: ours }, ...(changed !== undefined && { changed }) };
  },
  write: ({ spec: { privilege } }) => {
    const { isolation } = privilege;
    const declared = isolation?.protect?.[part];
    if (declared !== undefined) return { keys: { [`Service.${theirs}`]: written[declared] ?? 'yes' } };
    return old !== undefined && isolation?.[old] === true ? { keys: { [`Service.${theirs}`]: 'yes' } } : {};
  },
});

const OLD_KEYS = { privateTmp: 'private_tmp', privateDevices: 'private_devices' } as const;

const IN_MEMORY =
  '/tmp and /var/tmp are in memory, at most a quarter of it, and commands such as pre_start do not share them';
const HIDES_MORE = 'processes of its own user that the service may not trace are hidden, too';

const OF_KERNEL = ['ProtectKernelTunables', 'ProtectKernelModules', 'ProtectKernelLogs'] as const;

const [FIRST_OF_KERNEL, ...OTHERS_OF_KERNEL] = OF_KERNEL;

const kernel = (setting: Setting, { value }: UnitContext): Translation => {
  if (!isYes(textOf(setting))) return {};
  const on = OF_KERNEL.filter((key) => isYes(value(key)));
  const missing = OF_KERNEL.filter((key) => !on.includes(key));
  return {
    keys: { 'isolation.protect.kernel': 'read_only' },
    ...(missing.length > 0 &&
      on[0] === setting.key && {
        changed: `isolation.protect.kernel also does what ${missing.map((key) => `${key}=yes`).join(' and ')} would do`,
      }),
  };
};

export const PROTECT_ROWS: readonly UnitRow[] = [
  partRow({
    theirs: 'ProtectSystem',
    part: 'system',
    note: '`strict` corresponds to `read_only`. `full` and `yes` correspond to `os_read_only`; with `yes` systemd leaves `/etc` writable. All parts of `isolation.protect` need `--sys`, or `isolation.user`.',
    values: {
      strict: ['read_only'],
      full: ['os_read_only'],
      yes: ['os_read_only', '/etc is read-only, too'],
    },
    written: { read_only: 'strict', os_read_only: 'full' },
  }),
  partRow({
    theirs: 'ProtectHome',
    part: 'home',
    note: '`yes` and `tmpfs` correspond to `hidden`, and `read-only` corresponds to `read_only`.',
    values: { yes: ['hidden'], tmpfs: ['hidden'], 'read-only': ['read_only'] },
    written: { hidden: 'tmpfs', read_only: 'read-only' },
  }),
  partRow({
    ...{ theirs: 'PrivateTmp', part: 'tmp', old: 'privateTmp' },
    note: 'The directories are in memory.',
    values: { yes: ['private', IN_MEMORY], disconnected: ['private', IN_MEMORY] },
    written: {},
  }),
  partRow({
    ...{ theirs: 'PrivateDevices', part: 'devices', old: 'privateDevices' },
    note: '`/dev` has only devices without hardware.',
    values: { yes: ['minimal'] },
    written: {},
  }),
  partRow({
    theirs: 'ProtectProc',
    part: 'proc',
    note: '`ptraceable` becomes `own`. `invisible` and `noaccess`, which show more, also become `own`.',
    values: { ptraceable: ['own'], invisible: ['own', HIDES_MORE], noaccess: ['own', HIDES_MORE] },
    written: { own: 'ptraceable' },
  }),
  {
    theirs: FIRST_OF_KERNEL,
    also: OTHERS_OF_KERNEL,
    ours: ['isolation.protect.kernel'],
    note: 'The three settings together become `read_only`.',
    read: kernel,
    write: ({ spec: { privilege } }) =>
      privilege.isolation?.protect?.kernel === undefined
        ? {}
        : { keys: Object.fromEntries(OF_KERNEL.map((key) => [`Service.${key}`, 'yes'])) },
  },
];
