import { describe, expect, it } from 'vitest';
import { NOT_CARRIED_OUT, type NotCarriedOut } from '../../../src/manifest/check/ignored-keys.ts';
import type { LoadResult } from '../../../src/streams/domain/declared/manifest.ts';
import { loadText, manifestOf } from '../loading.ts';

/** A value that asks for something, for each key of the table. */
const ASKING: Readonly<Record<string, string>> = {
  'spawn.limits': '{ children: 1 }',
  'hooks.on_restart': '{ success: { command: x } }',
  'deployment.strategy': 'immediate',
  'env.inherit_env': 'true',
  control: 'true',
  'logs.max_bytes': '1M',
  'logs.max_files': '3',
  'logs.max_age': '7d',
  'logs.compress': 'true',
  watch: '{ paths: [src] }',
  max_memory: '1G',
  max_memory_for: '10s',
  'metrics.spillover_max_bytes': '1G',
  'metrics.spillover_segment_bytes': '1M',
  'status.snapshot_interval_secs': '9',
  'isolation.apparmor_profile': 'p',
  'isolation.selinux_context': 'c',
  'isolation.private_devices': 'true',
  'isolation.private_tmp': 'true',
  'deployment.grace_period': '5s',
  'deployment.blue_green.candidate_health_check.after_ready': '10s',
  'deployment.blue_green.switch_verify.after_ready': 'off',
  'deployment.blue_green.candidate_health_check.on_failure': 'stop',
  'deployment.blue_green.switch_verify.on_failure': 'ignore',
  'deployment.blue_green.candidate_health_check.liveness': '{ command: x }',
  'deployment.blue_green.switch_verify.liveness': '{ command: x }',
  'deployment.health_check.on_failure': 'stop',
  'deployment.health_check.interval': '5s',
  'deployment.health_check.start_interval': '5s',
  'deployment.health_check.attempt_timeout': '5s',
  'deployment.health_check.retries': '5',
  'deployment.health_check.after_ready': '5s',
  restart_policy: 'always',
  backoff: '5s',
  'deployment.health_check.liveness.interval': '1s',
  'deployment.health_check.liveness.attempt_timeout': '1s',
  'deployment.health_check.liveness.retries': '2',
  max_restarts: '8',
};

const CRON = 'cron: { expression: "0 3 * * *" }';

const SLOTS = 'slots: [1, 2], switch_command: x';

/** What is written for a key that stands alone. */
const VALUES: Readonly<Record<string, string>> = {
  cron: '{ expression: "0 3 * * *" }',
  'deployment.blue_green': `{ ${SLOTS} }`,
};

const CHECK = /^deployment\.health_check\.(\w+)$/;

/** What stands beside a key of a check without effect, for what makes it so. */
const KINDS: Readonly<Record<string, string>> = {
  log: 'log: up',
  notify: 'notify: true',
  after_ready: 'command: x, after_ready: off',
  liveness: 'command: x, liveness: { command: x }',
};

const CHECK_OF_LIVENESS = /^deployment\.health_check\.liveness\.(\w+)$/;
const CHECK_OF_ROLLOUT = /^deployment\.blue_green\.(\w+)\.(\w+)$/;

/** A key of a check in `blue_green` needs all that stands around it. */
const around = (key: string, value: string): readonly [key: string, value: string] => {
  const [, check, last] = CHECK_OF_ROLLOUT.exec(key) ?? [];
  if (check === undefined || last === undefined) return [key, value];
  return ['deployment.blue_green', `{ ${SLOTS}, ${check}: { command: check, ${last}: ${value} } }`];
};

/** Keys with their values, those below one key in one map. */
const fieldsOf = (rows: readonly (readonly [key: string, value: string])[]): string => {
  const tables = new Map<string, string[]>();
  for (const [key, value] of rows) {
    const [outer = '', inner] = key.split('.');
    const field = inner === undefined ? value : `${inner}: ${value}`;
    tables.set(outer, [...(tables.get(outer) ?? []), field]);
  }
  return [...tables]
    .map(([outer, fields]) =>
      rows.some(([key]) => key === outer)
        ? `${outer}: ${fields.join('')}`
        : `${outer}: { ${fields.join(', ')} }`,
    )
    .join('\n');
};

/** The name of the key in `health_check` that comes first, if one does. */
const nameIn = ([first = '']: readonly string[]): string => CHECK.exec(first)?.[1] ?? '';

/** A key of `liveness` beside a watchdog. */
const inLiveness = ({ key }: NotCarriedOut, value: string): string | undefined => {
  const [, name] = CHECK_OF_LIVENESS.exec(key) ?? [];
  return (
    name && `deployment: { health_check: { notify: true, liveness: { watchdog: 5s, ${name}: ${value} } } }`
  );
};

/** A key of a check that asks nothing, beside the kind of the check. */
const inCheck = ({ key, beside }: NotCarriedOut, value: string): string | undefined => {
  const [, name] = CHECK.exec(key) ?? [];
  const kind = KINDS[nameIn([...(beside?.keys ?? []), ...(beside?.says ?? []).flat()])];
  return name && kind && `deployment: { health_check: { ${kind}, ${name}: ${value} } }`;
};

const besideOthers = ({ key, beside }: NotCarriedOut, value: string): string => {
  const alone = (beside?.keys ?? []).map((other) => [other, VALUES[other] ?? ''] as const);
  return fieldsOf([around(key, value), ...alone, ...(beside?.says ?? [])]);
};

const manifestWith = (row: NotCarriedOut, value: string, version: string): string => {
  const fields = inLiveness(row, value) ?? inCheck(row, value) ?? besideOthers(row, value);
  return row.in === 'service'
    ? manifestOf(fields, version)
    : `version: ${version}\n${fields}\nservices: { web: { command: run } }\n`;
};

const load = (row: NotCarriedOut, version: string, value = ASKING[row.key] ?? ''): LoadResult =>
  loadText(manifestWith(row, value, version));

/** What is said of the key, and how. */
const said = (row: NotCarriedOut, { problems }: LoadResult): readonly string[] =>
  problems
    .filter(({ path }) => path.replace('services.web.', '') === row.key)
    .map(({ code, severity, message }) => `${severity} ${code} ${message}`);

describe('a key that is not applied', () => {
  it.each(NOT_CARRIED_OUT.map((row) => [`${row.key} ${row.beside?.told ?? ''}`, row] as const))(
    'the unapplied key %s is never accepted silently',
    (_, row) => {
      const two = load(row, '2');
      expect(said(row, two)).toEqual([`warning ${row.code} ${row.told}`]);
      expect(two.manifest).toBeDefined();
      const three = load(row, '3');
      expect(said(row, three)).toEqual([`error ${row.code} ${row.told}`]);
      expect(three.manifest).toBeUndefined();
    },
  );

  it.each(
    NOT_CARRIED_OUT.flatMap((row) =>
      (row.unless ?? []).map((value) => [`${row.key}: ${value}`, row, value] as const),
    ),
  )('the key with %s requests nothing', (_, row, value) => {
    expect(load(row, '3', value).problems).toEqual([]);
  });

  it.each([
    'deployment: { strategy: rolling, grace_period: 5s }',
    'deployment: { grace_period: 5s, blue_green: { slots: [1, 2], switch_command: x } }',
    'restart_policy: always\nbackoff: 5s\nmax_restarts: 8',
    'restart_policy: on-failure\nhooks: { on_restart: { success: { command: x } } }',
    'deployment: { strategy: rolling, blue_green: { slots: [1, 2], switch_command: x } }',
    'spawn: { mode: dynamic, limits: { children: 1 } }',
    'logs: { max_bytes: 1M, max_files: 3 }',
    'deployment: { health_check: { command: x, retries: 5, after_ready: off } }',
    'deployment: { health_check: { log: up, timeout: 5s, liveness: { tcp: 80, on_failure: ignore } } }',
    'deployment: { health_check: { command: x, on_failure: stop } }',
    'deployment: { health_check: { command: x, on_failure: stop, after_ready: 5s, liveness: { command: x } } }',
    CRON,
  ])('a key has an effect beside its neighbours or is not accepted: %s', (fields) => {
    expect(loadText(manifestOf(fields, '3')).problems).toEqual([]);
  });

  it('an unapplied key is judged by the value of a variable', () => {
    const of = (own: string) =>
      loadText(manifestOf(`isolation: { private_tmp: "\${S}" }`, '2'), { environment: { S: own } }).problems;
    expect(of('false')).toEqual([]);
    expect(of('true')).toMatchObject([{ code: 'ERR0721', severity: 'warning' }]);
  });

  it('an unapplied key is listed once', () => {
    const keys = NOT_CARRIED_OUT.map(({ key, beside }) => `${key} ${beside?.told ?? ''}`);
    expect(new Set(keys).size).toBe(keys.length);
  });
});
