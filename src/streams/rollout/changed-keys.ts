// Compares two declarations. Finds the new, removed and changed keys, with names and values as in a manifest.
import type { ChangedKey } from '../domain/apply-plan.ts';
import {
  CHECK_DEFAULTS,
  isAwaited,
  probeWords,
  READY_WITHIN,
  type Check,
  type HealthCheck,
} from '../domain/declared/health-check.ts';
import type { BlueGreen, Deployment, Reload, ServiceSpec } from '../domain/declared/spec.ts';

/** Keys that are not compared, because they are computed from other keys or identify the service. */
const APART: ReadonlySet<string> = new Set(['digest', 'id', 'project', 'name', 'kind']);

/** Returns the key as a manifest spells it: `workingDir` becomes `working_dir`. */
const manifestKey = (key: string): string =>
  key.replaceAll(/(?<=[a-z])[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

const isTree = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * True for the `skip` commands `true` and `false`. These commands are shown in quotes, so that they differ
 * from the boolean values of `skip`.
 */
const isFlagLike = (text: string, path: string): boolean =>
  path === 'skip' && ['true', 'false'].includes(text);

/** Matches the keys with durations as values. Durations are shown with a unit. */
const LENGTH =
  /(?:timeout|interval|after_ready|grace_period|max_memory_for|debounce|jitter|max_age|^backoff\.initial|^backoff\.max)$/;

const lengthText = (length: number): string => (length % 1000 === 0 ? `${length / 1000}s` : `${length}ms`);

const textOf = (value: unknown, path: string): string => {
  if (typeof value === 'string') return isFlagLike(value, path) ? JSON.stringify(value) : value;
  return typeof value === 'number' && LENGTH.test(path) ? lengthText(value) : JSON.stringify(value);
};

/** Manifest keys that have a map as value, in which users choose the keys. */
const USERS_KEYS: readonly string[] = ['vars', 'secrets', 'hooks', 'credentials'];

/**
 * Returns each nested value as a pair: its dotted key, and its text. `named`: true if users chose the keys of
 * `value`. The spelling of these keys must not change.
 */
const leaves = (value: unknown, path: string, named: boolean): readonly (readonly [string, string])[] => {
  if (!isTree(value)) return value === undefined ? [] : [[path, textOf(value, path)]];
  return Object.entries(value).flatMap(([key, below]) => {
    const name = named ? key : manifestKey(key);
    return leaves(below, path === '' ? name : `${path}.${name}`, USERS_KEYS.includes(name));
  });
};

type CheckTimes = Omit<Check, 'probe'>;

const timesWords = ({ startIntervalMax: most, ...times }: CheckTimes): object => ({
  ...times,
  ...(most !== undefined && {
    startInterval: `${lengthText(times.startInterval)}, at most ${lengthText(most)}`,
  }),
});

const DEFAULTS: ReadonlyMap<string, unknown> = new Map(Object.entries(CHECK_DEFAULTS));

const withoutDefaults = (times: CheckTimes): object =>
  Object.fromEntries(Object.entries(times).filter(([key, value]) => DEFAULTS.get(key) !== value));

/**
 * Returns the keys of a check. If the other declaration has no check in the same place, keys with default
 * values are left out.
 */
const checkWords = (check: HealthCheck, other: HealthCheck | undefined): object => {
  const { probe, liveness, ...times } = check;
  const { totalTimeout } = times;
  const words = { ...probeWords(probe), ...(liveness && { liveness: livenessWords(liveness) }) };
  if (isAwaited(check)) return { ...words, ...(totalTimeout !== READY_WITHIN && { totalTimeout }) };
  const isNew = other === undefined || isAwaited(other);
  return { ...(isNew ? withoutDefaults(times) : timesWords(times)), ...words };
};

const livenessWords = ({ probe, interval, attemptTimeout, retries, onFailure }: Check): object => ({
  ...probeWords(probe),
  ...(probe.tag !== 'watchdog' && { interval, attemptTimeout, retries }),
  ...(onFailure && { onFailure }),
});

const blueGreenWords = (
  { candidateHealthCheck: candidate, switchVerify: verify, ...rest }: BlueGreen,
  other: BlueGreen | undefined,
): object => ({
  ...rest,
  ...(candidate && { candidateHealthCheck: checkWords(candidate, other?.candidateHealthCheck) }),
  ...(verify && { switchVerify: checkWords(verify, other?.switchVerify) }),
});

const deploymentWords = ({ healthCheck, blueGreen, ...rest }: Deployment, other: Deployment): object => ({
  ...rest,
  ...(healthCheck && { healthCheck: checkWords(healthCheck, other.healthCheck) }),
  ...(blueGreen && { blueGreen: blueGreenWords(blueGreen, other.blueGreen) }),
});

const envWords = ({
  inherit: inheritEnv,
  clearSession: clearSessionVars,
  secrets = {},
  ...rest
}: ServiceSpec['env']): object => ({
  ...rest,
  secrets: filesWords(secrets),
  inheritEnv,
  clearSessionVars,
});

type Files = Readonly<Record<string, string>>;

/** Returns the files in the form in which a manifest declares them: `{ name: { file } }`. */
const filesWords = (files: Files): object =>
  Object.fromEntries(Object.entries(files).map(([name, file]) => [name, { file }]));

const privilegeWords = ({ credentials, ...rest }: ServiceSpec['privilege']): object => ({
  ...rest,
  ...(credentials && { credentials: filesWords(credentials) }),
});

const spawnWords = ({ mode, ...limits }: ServiceSpec['spawn']): object => ({ mode, limits });

const reloadWords = (reload: Reload): object | string =>
  reload.tag === 'signal' ? { signal: reload.signal } : reload.command;

/** Returns the declaration with the keys of a manifest, in which keys are not grouped as in `ServiceSpec`. */
const declared = (
  { launch, dependsOn, ...spec }: ServiceSpec,
  other: ServiceSpec,
): Record<string, unknown> => {
  const { deployment, env, spawn, privilege, reload, schema, ...rest } = spec;
  const rows = Object.entries(rest).filter(([key]) => !APART.has(key));
  return {
    version: schema,
    ...(launch.tag === 'shell' ? { command: launch.command } : { exec: launch.argv }),
    ...(dependsOn.length > 0 && { dependsOn }),
    ...Object.fromEntries(rows),
    env: envWords(env),
    ...(reload && { reload: reloadWords(reload) }),
    deployment: deploymentWords(deployment, other.deployment),
    spawn: spawnWords(spawn),
    ...privilegeWords(privilege),
  };
};

/** Returns the nested keys with different values. `from` is absent for a new key, `to` for a removed key. */
export const changedKeys = (before: object, after: object): readonly ChangedKey[] => {
  const [old, fresh] = [before, after].map((tree) => new Map(leaves(tree, '', false)));
  if (old === undefined || fresh === undefined) return [];
  const keys = [...new Set([...old.keys(), ...fresh.keys()])];
  return keys.flatMap((key): readonly ChangedKey[] => {
    const [from, to] = [old.get(key), fresh.get(key)];
    if (from === to) return [];
    return [{ key, ...(from !== undefined && { from }), ...(to !== undefined && { to }) }];
  });
};

/** Returns the manifest keys that differ between the two declarations. */
export const differenceOf = (before: ServiceSpec, after: ServiceSpec): readonly ChangedKey[] =>
  changedKeys(declared(before, after), declared(after, before));
