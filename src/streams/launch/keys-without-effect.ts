// Finds declared keys that have no effect on a run: they need root or the C library, or are never applied.
// The user was warned about these keys when the manifest was loaded. Steps that Linux refuses are not found
// here, because the launcher reports them.
// Rules: `docs/behaviour.md`, "Children and strays".
import type { IsolationSpec, Privilege, ServiceSpec } from '../domain/declared/spec.ts';
import type { Skipped } from '../domain/service/service-run.ts';

type Asks = (privilege: Privilege) => boolean;

interface Row {
  readonly key: string;
  readonly isDeclared: Asks;
  readonly needsRoot: Asks;
}

const LIMITS = ['nofile', 'nproc', 'memlock', 'core', 'stack', 'fsize', 'nice'] as const;
const NAMESPACES = ['network', 'mount', 'pid'] as const;
const RESTRICTIONS = {
  landlock: 'landlock',
  ports: 'ports',
  address_families: 'addressFamilies',
  seccomp: 'seccomp',
} as const;

const ofRoot = (key: string, isDeclared: Asks): Row => ({ key, isDeclared, needsRoot: () => true });
const ofAll = (key: string, isDeclared: Asks): Row => ({ key, isDeclared, needsRoot: () => false });

/** The keys that are applied with calls to the C library. */
const KEYS: readonly Row[] = [
  ofRoot('user', ({ user }) => user !== undefined),
  ofRoot('group', ({ group }) => group !== undefined),
  ofRoot('supplementary_groups', ({ supplementaryGroups }) => supplementaryGroups.length > 0),
  ofRoot('capabilities', ({ capabilities }) => capabilities !== undefined),
  ...LIMITS.map((name) => ofAll(`limits.${name}`, ({ limits }) => limits?.[name] !== undefined)),
  ofAll('limits.oom_score_adj', ({ limits }) => limits?.oomScoreAdj !== undefined),
  ofAll('limits.cpu_affinity', ({ limits }) => limits?.cpuAffinity !== undefined),
  ofRoot('limits.cgroup', ({ limits }) => limits?.cgroup !== undefined),
  ...NAMESPACES.map((kind): Row => ({
    key: `isolation.${kind}`,
    isDeclared: ({ isolation }) => isolation?.[kind] === true,
    needsRoot: ({ isolation }) => isolation?.user !== true,
  })),
  {
    key: 'isolation.protect',
    isDeclared: ({ isolation }) => isolation?.protect !== undefined,
    needsRoot: ({ isolation }) => isolation?.user !== true,
  },
  {
    key: 'credentials',
    isDeclared: ({ credentials }) => credentials !== undefined,
    needsRoot: ({ isolation }) => isolation?.user !== true,
  },
  ofAll('isolation.user', ({ isolation }) => isolation?.user === true),
  ...Object.entries(RESTRICTIONS).map(([key, kind]) =>
    ofAll(`isolation.${key}`, ({ isolation }) => isolation?.[kind] !== undefined),
  ),
  ofAll('isolation.no_new_privs', ({ isolation }) => isolation?.noNewPrivs === true),
];

/** The keys that are never applied. */
const NEVER_APPLIED: Readonly<Record<string, (isolation: IsolationSpec) => boolean>> = {
  'isolation.apparmor_profile': ({ apparmorProfile }) => apparmorProfile !== undefined,
  'isolation.selinux_context': ({ selinuxContext }) => selinuxContext !== undefined,
  'isolation.private_devices': ({ privateDevices }) => privateDevices,
  'isolation.private_tmp': ({ privateTmp }) => privateTmp,
};

const NO_ROOT = 'has no effect without a privileged supervisor (--sys)';

/** Returns the declared keys that have no effect on a run. `privileged`: true with `--sys`. */
export const ignoredKeys = ({ privilege }: ServiceSpec, privileged: boolean): readonly Skipped[] => {
  const { isolation } = privilege;
  const rootless = KEYS.filter((row) => !privileged && row.isDeclared(privilege) && row.needsRoot(privilege));
  const never = Object.entries(NEVER_APPLIED).filter(
    ([, isAsked]) => isolation !== undefined && isAsked(isolation),
  );
  return [
    ...rootless.map(({ key }) => ({ key, detail: NO_ROOT })),
    ...never.map(([key]) => ({ key, detail: 'is never applied' })),
  ];
};

/** Returns the declared keys that need calls to the C library. `privileged`: true with `--sys`. */
export const keysThatNeedCalls = (
  { privilege, spawn, sockets = [] }: ServiceSpec,
  privileged: boolean,
): readonly string[] => [
  ...KEYS.filter((row) => row.isDeclared(privilege) && (privileged || !row.needsRoot(privilege))).map(
    ({ key }) => key,
  ),
  ...(spawn.mode === 'dynamic' ? ['spawn.mode'] : []),
  ...(sockets.length > 0 ? ['sockets'] : []),
];
