// Resolves the parts of a service: applies defaults, makes paths absolute, and drops keys with an undefined
// value. Both hook forms become one map: Form A by its name, Form B as `<stage>.<outcome>`
// (`docs/hooks.md`, "Two forms").
import { resolve } from 'node:path';
import type { blueGreen, deployment, healthCheck } from '../decode/deployment-object.ts';
import type { cgroup, isolation, landlock, limits, ports, seccomp } from '../decode/privilege-objects.ts';
import type { hook, hooks, stage } from '../decode/service-keys.ts';
import type { service } from '../decode/service-object.ts';
import type { ValueOf } from '../decode/shapes/decoder.ts';
import type {
  BlueGreen,
  CgroupSpec,
  Deployment,
  HealthCheck,
  Hook,
  HookName,
  IsolationSpec,
  LandlockSpec,
  LimitsSpec,
  PortsSpec,
  Privilege,
  SeccompSpec,
} from '../../streams/domain/declared/spec.ts';
import { ms } from '../../streams/domain/time.ts';

type OptionalKeys<T> = { [K in keyof T]: undefined extends T[K] ? K : never }[keyof T];

type Present<T> = { readonly [K in Exclude<keyof T, OptionalKeys<T>>]: T[K] } & {
  readonly [K in OptionalKeys<T>]?: Exclude<T[K], undefined>;
};

export const present = <T extends object>(fields: T): Present<T> =>
  // The filter does exactly what the type says, which the compiler cannot see.
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Present<T>;

const resolveHealthCheck = (declared: ValueOf<typeof healthCheck>): HealthCheck => ({
  ...(declared.after_ready !== undefined && { afterReady: declared.after_ready }),
  probe:
    declared.url === undefined
      ? { tag: 'command', command: declared.command ?? '' }
      : { tag: 'http', url: declared.url },
  interval: declared.interval,
  startInterval: declared.start_interval,
  attemptTimeout: declared.attempt_timeout,
  totalTimeout: declared.total_timeout ?? declared.timeout ?? ms(0),
  retries: declared.retries,
});

const optionalCheck = (declared: ValueOf<typeof healthCheck> | undefined): HealthCheck | undefined =>
  declared === undefined ? undefined : resolveHealthCheck(declared);

const resolveBlueGreen = (declared: ValueOf<typeof blueGreen>, directory: string): BlueGreen => {
  const [first = '', second = ''] = declared.slots;
  const { state_path: statePath } = declared;
  return present({
    envVar: declared.env_var,
    slots: [first, second] as const,
    switchCommand: declared.switch_command,
    candidateHealthCheck: optionalCheck(declared.candidate_health_check),
    switchVerify: optionalCheck(declared.switch_verify),
    statePath: statePath === undefined ? undefined : resolve(directory, statePath.value),
  });
};

export const resolveDeployment = (declared: ValueOf<typeof deployment>, directory: string): Deployment => {
  const { blue_green: rollout } = declared;
  return present({
    strategy: declared.strategy,
    preStart: declared.pre_start,
    healthCheck: optionalCheck(declared.health_check),
    gracePeriod: declared.grace_period,
    blueGreen: rollout === undefined ? undefined : resolveBlueGreen(rollout, directory),
  });
};

const asHook = (declared: ValueOf<typeof hook> | undefined): Hook | undefined =>
  declared === undefined ? undefined : present({ command: declared.command, timeout: declared.timeout });

interface Outcomes {
  readonly success: Hook | undefined;
  readonly error: Hook | undefined;
}

const outcomes = (declared: ValueOf<typeof stage> | undefined): Outcomes => ({
  success: asHook(declared?.success),
  error: asHook(declared?.error),
});

export const resolveHooks = (
  declared: ValueOf<typeof hooks> | undefined,
): Readonly<Partial<Record<HookName, Hook>>> => {
  const start = outcomes(declared?.on_start);
  const stop = outcomes(declared?.on_stop);
  const restart = outcomes(declared?.on_restart);
  return present({
    onstart: asHook(declared?.onstart),
    onerr: asHook(declared?.onerr),
    'on_start.success': start.success,
    'on_start.error': start.error,
    'on_stop.success': stop.success,
    'on_stop.error': stop.error,
    'on_restart.success': restart.success,
    'on_restart.error': restart.error,
  });
};

const resolveCgroup = (declared: ValueOf<typeof cgroup>): CgroupSpec =>
  present({
    root: declared.root,
    memoryMax: declared.memory_max,
    cpuMax: declared.cpu_max,
    cpuWeight: declared.cpu_weight,
  });

const resolveLimits = (declared: ValueOf<typeof limits>): LimitsSpec =>
  present({
    nofile: declared.nofile,
    nproc: declared.nproc,
    memlock: declared.memlock,
    core: declared.core,
    nice: declared.nice,
    cpuAffinity: declared.cpu_affinity,
    cgroup: declared.cgroup === undefined ? undefined : resolveCgroup(declared.cgroup),
  });

const resolveSeccomp = (declared: 'baseline' | ValueOf<typeof seccomp>): SeccompSpec =>
  declared === 'baseline'
    ? { profile: 'baseline', allow: [], deny: [], action: 'errno' }
    : { ...declared, allow: declared.allow ?? [], deny: declared.deny ?? [] };

const resolveLandlock = (declared: ValueOf<typeof landlock>): LandlockSpec => ({
  roPaths: declared.ro_paths ?? [],
  rwPaths: declared.rw_paths ?? [],
  execPaths: declared.exec_paths ?? [],
});

/** `undefined` without a list: nothing is restricted. */
const resolvePorts = ({ bind, connect }: ValueOf<typeof ports>): PortsSpec | undefined =>
  bind === undefined && connect === undefined ? undefined : present({ bind, connect });

const resolveIsolation = (declared: ValueOf<typeof isolation>): IsolationSpec =>
  present({
    network: declared.network,
    mount: declared.mount,
    pid: declared.pid,
    user: declared.user,
    seccomp: declared.seccomp === undefined ? undefined : resolveSeccomp(declared.seccomp),
    landlock: declared.landlock === undefined ? undefined : resolveLandlock(declared.landlock),
    ports: declared.ports === undefined ? undefined : resolvePorts(declared.ports),
    apparmorProfile: declared.apparmor_profile,
    selinuxContext: declared.selinux_context,
    privateDevices: declared.private_devices,
    privateTmp: declared.private_tmp,
  });

/** `undefined` for a table that requests nothing: it means the same as none. */
const unlessIdle = <T extends object>(spec: T): T | undefined =>
  Object.values(spec).some((value) => value !== false) ? spec : undefined;

export const resolvePrivilege = (declared: ValueOf<typeof service>): Privilege =>
  present({
    user: declared.user,
    group: declared.group,
    supplementaryGroups: declared.supplementary_groups ?? [],
    capabilities: declared.capabilities,
    limits: declared.limits === undefined ? undefined : unlessIdle(resolveLimits(declared.limits)),
    isolation:
      declared.isolation === undefined ? undefined : unlessIdle(resolveIsolation(declared.isolation)),
  });
