// Declared keys that are not applied at all: the load warned about them, and the run does without. Steps the
// kernel refuses are reported by the launcher.
import type { IsolationSpec, Privilege, ServiceSpec } from '../domain/declared/spec.ts';
import type { Skipped } from '../domain/service/skipped.ts';

interface Row {
  readonly key: string;
  readonly isAsked: (privilege: Privilege) => boolean;
}

const KINDS = ['network', 'mount', 'pid'] as const;

/** Keys that take effect only with root. */
const NEEDS_ROOT: readonly Row[] = [
  { key: 'user', isAsked: ({ user }) => user !== undefined },
  { key: 'group', isAsked: ({ group }) => group !== undefined },
  { key: 'supplementary_groups', isAsked: ({ supplementaryGroups }) => supplementaryGroups.length > 0 },
  { key: 'capabilities', isAsked: ({ capabilities }) => capabilities !== undefined },
  { key: 'limits.cgroup', isAsked: ({ limits }) => limits?.cgroup !== undefined },
  ...KINDS.map((kind) => ({
    key: `isolation.${kind}`,
    isAsked: ({ isolation }: Privilege) => isolation?.[kind] === true && !isolation.user,
  })),
];

const never = (key: string, isAsked: (isolation: IsolationSpec) => boolean): Row => ({
  key: `isolation.${key}`,
  isAsked: ({ isolation }) => isolation !== undefined && isAsked(isolation),
});

/** Declared, but never applied, with root or without. */
const NEVER_APPLIED: readonly Row[] = [
  never('apparmor_profile', ({ apparmorProfile }) => apparmorProfile !== undefined),
  never('selinux_context', ({ selinuxContext }) => selinuxContext !== undefined),
  never('private_devices', ({ privateDevices }) => privateDevices),
  never('private_tmp', ({ privateTmp }) => privateTmp),
];

const asked = (rows: readonly Row[], privilege: Privilege, detail: string): readonly Skipped[] =>
  rows.filter(({ isAsked }) => isAsked(privilege)).map(({ key }) => ({ key, detail }));

/** Returns the keys without effect on a run of this service; `privileged` is `--sys`. */
export const ignored = ({ privilege }: ServiceSpec, privileged: boolean): readonly Skipped[] => [
  ...(privileged
    ? []
    : asked(NEEDS_ROOT, privilege, 'has no effect without a privileged supervisor (--sys)')),
  ...asked(NEVER_APPLIED, privilege, 'is never applied'),
];
