// Resolves parts of a service: defaults that depend on other keys, absolute paths, and hooks. Both forms of
// hooks become one map: form A keeps its name, form B becomes `<stage>.<outcome>` (`docs/hooks.md`, "Two
// forms").
import { resolve } from 'node:path';
import type { cron } from '../decode/cron-object.ts';
import type { blueGreen, deployment, healthCheck, liveness } from '../decode/deployment-object.ts';
import type { isolation, protect, seccomp } from '../decode/privilege-objects.ts';
import type { hooks } from '../decode/service-keys.ts';
import type { service } from '../decode/service-object.ts';
import type { ValueOf } from '../decode/shapes/decoder.ts';
import {
  CHECK_DEFAULTS,
  READY_WITHIN,
  type Check,
  type HealthCheck,
  type OnFailure,
  type Probe,
} from '../../streams/domain/declared/health-check.ts';
import type {
  BlueGreen,
  CronSpec,
  Deployment,
  Hook,
  HookName,
  IsolationSpec,
  Privilege,
  ProtectSpec,
  SeccompSpec,
} from '../../streams/domain/declared/spec.ts';
import { ms } from '../../streams/domain/time.ts';

type OptionalKeys<T> = { [K in keyof T]: undefined extends T[K] ? K : never }[keyof T];

type Present<T> = { readonly [K in Exclude<keyof T, OptionalKeys<T>>]: T[K] } & {
  readonly [K in OptionalKeys<T>]?: Exclude<T[K], undefined>;
};

export const present = <T extends object>(fields: T): Present<T> =>
  // This removes exactly the undefined values, but the compiler cannot know that.
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Present<T>;

/** Resolves `cron`. Values that equal their default are left out. */
export const resolveCron = ({ overlap, catchUp, ...rest }: ValueOf<typeof cron>): CronSpec =>
  present({
    ...rest,
    overlap: overlap === 'skip' ? undefined : overlap,
    catchUp: catchUp === 'none' ? undefined : catchUp,
  });

type Pace = Pick<HealthCheck, 'interval' | 'startInterval' | 'startIntervalMax'>;

const paceOf = ({ interval, startInterval }: ValueOf<typeof healthCheck>): Pace => ({
  interval: interval ?? CHECK_DEFAULTS.interval,
  startInterval: startInterval ?? CHECK_DEFAULTS.startInterval,
  ...(interval === undefined &&
    startInterval === undefined && { startIntervalMax: CHECK_DEFAULTS.startIntervalMax }),
});

type ProbeFields = Pick<ValueOf<typeof healthCheck>, 'command' | 'url' | 'tcp' | 'log' | 'notify'>;

/** Returns the `on_failure` of a check; `restart`, the default, is left out. */
const failureOf = (declared: OnFailure | 'restart' | undefined): Pick<Check, 'onFailure'> =>
  declared === undefined || declared === 'restart' ? {} : { onFailure: declared };

const resolveLiveness = (declared: ValueOf<typeof liveness>): Check => {
  const { interval, attemptTimeout, retries, watchdog, onFailure } = declared;
  const failure = failureOf(onFailure);
  // A watchdog fails at its first timeout: it has no retries.
  if (watchdog !== undefined)
    return { ...CHECK_DEFAULTS, retries: 1, probe: { tag: 'watchdog', watchdog }, ...failure };
  return { ...CHECK_DEFAULTS, interval, attemptTimeout, retries, probe: probeOf(declared), ...failure };
};

const probeOf = ({ command = '', url, tcp, log, notify }: ProbeFields): Probe => {
  if (log !== undefined) return { tag: 'log', log };
  if (notify) return { tag: 'notify' };
  if (url !== undefined) return { tag: 'http', url };
  return tcp === undefined ? { tag: 'command', command } : { tag: 'tcp', tcp };
};

const resolveCheck = (declared: ValueOf<typeof healthCheck> | undefined): HealthCheck | undefined => {
  if (declared === undefined) return undefined;
  const { command: _, url: __, tcp: ___, log, notify, ...others } = declared;
  const { timeout = ms(0), totalTimeout = timeout, onFailure, liveness: alive, ...rest } = others;
  return {
    ...rest,
    ...paceOf(rest),
    ...failureOf(onFailure),
    ...(alive && { liveness: resolveLiveness(alive) }),
    totalTimeout: (log !== undefined || notify) && totalTimeout === 0 ? READY_WITHIN : totalTimeout,
    probe: probeOf(declared),
  };
};

const resolveBlueGreen = (declared: ValueOf<typeof blueGreen>, directory: string): BlueGreen => {
  const { slots, candidateHealthCheck: candidate, switchVerify: verify, statePath, ...rest } = declared;
  const [first = '', second = ''] = slots;
  return present({
    ...rest,
    slots: [first, second] as const,
    candidateHealthCheck: resolveCheck(candidate),
    switchVerify: resolveCheck(verify),
    statePath: statePath && resolve(directory, statePath.value),
  });
};

export const resolveDeployment = (
  { healthCheck: check, blueGreen: slots, ...rest }: ValueOf<typeof deployment>,
  directory: string,
): Deployment =>
  present({
    ...rest,
    healthCheck: resolveCheck(check),
    blueGreen: slots && resolveBlueGreen(slots, directory),
  });

export const resolveHooks = ({ onStart, onStop, onRestart, ...formA }: ValueOf<typeof hooks> = {}): Readonly<
  Partial<Record<HookName, Hook>>
> =>
  present({
    ...formA,
    'on_start.success': onStart?.success,
    'on_start.error': onStart?.error,
    'on_stop.success': onStop?.success,
    'on_stop.error': onStop?.error,
    'on_restart.success': onRestart?.success,
    'on_restart.error': onRestart?.error,
  });

const resolveSeccomp = (declared: 'baseline' | ValueOf<typeof seccomp>): SeccompSpec => ({
  profile: 'baseline',
  action: 'errno',
  allow: [],
  deny: [],
  ...(declared !== 'baseline' && declared),
});

const PRESETS: Readonly<Record<'strict' | 'full' | 'off', ProtectSpec>> = {
  strict: {
    ...{ system: 'read_only', home: 'hidden', tmp: 'private', devices: 'minimal' },
    ...{ proc: 'own', kernel: 'read_only' },
  },
  full: {
    ...{ system: 'os_read_only', home: 'read_only', tmp: 'private', devices: 'minimal' },
    kernel: 'read_only',
  },
  off: {},
};

const resolveProtect = (
  declared: keyof typeof PRESETS | ValueOf<typeof protect>,
): ProtectSpec | undefined => {
  const parts = typeof declared === 'string' ? PRESETS[declared] : present(declared);
  return Object.keys(parts).length === 0 ? undefined : parts;
};

const resolveIsolation = ({
  seccomp: filter,
  landlock: files,
  ports: numbers,
  protect: parts,
  ...rest
}: ValueOf<typeof isolation>): IsolationSpec =>
  present({
    ...rest,
    seccomp: filter && resolveSeccomp(filter),
    landlock: files && { roPaths: [], rwPaths: [], execPaths: [], ...files },
    ports: numbers && unlessIdle(numbers),
    protect: parts && resolveProtect(parts),
  });

/** Keys for which `false` is a request, because their default may be true. */
const SWITCHED_OFF: ReadonlySet<string> = new Set(['noNewPrivs']);

/** Returns the object unless it requests nothing, because all its values are false. */
const unlessIdle = <T extends object>(spec: T): T | undefined =>
  Object.entries(spec).some(([key, value]) => value !== false || SWITCHED_OFF.has(key)) ? spec : undefined;

/** Returns the absolute paths of the credentials by name; `undefined` if there are none. */
const credentialFiles = (
  declared: ValueOf<typeof service>['credentials'],
  directory: string,
): Privilege['credentials'] =>
  declared === undefined || declared.size === 0
    ? undefined
    : Object.fromEntries([...declared].map(([name, { value }]) => [name, resolve(directory, value.file)]));

export const resolvePrivilege = (declared: ValueOf<typeof service>, directory: string): Privilege =>
  present({
    user: declared.user,
    group: declared.group,
    supplementaryGroups: declared.supplementaryGroups ?? [],
    capabilities: declared.capabilities,
    limits: declared.limits && unlessIdle(declared.limits),
    isolation: declared.isolation && unlessIdle(resolveIsolation(declared.isolation)),
    credentials: credentialFiles(declared.credentials, directory),
  });
