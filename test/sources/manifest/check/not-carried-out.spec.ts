import { describe, expect, it } from 'vitest';
import { NOT_CARRIED_OUT, type NotCarriedOut } from '../../../../src/sources/manifest/check/carried-out.ts';
import type { LoadResult } from '../../../../src/streams/domain/declared/manifest.ts';
import { loadText, manifestOf } from '../loading.ts';

/** A value that asks for something, for each key of the table. */
const ASKING: Readonly<Record<string, string>> = {
  'spawn.mode': 'dynamic',
  'spawn.limits': '{ children: 1 }',
  'isolation.apparmor_profile': 'p',
  'isolation.selinux_context': 'c',
  'isolation.private_devices': 'true',
  'isolation.private_tmp': 'true',
  'deployment.grace_period': '5s',
  'deployment.blue_green.candidate_health_check.after_ready': '10s',
  'deployment.blue_green.switch_verify.after_ready': 'off',
  restart_policy: 'always',
  backoff: '5s',
  max_restarts: '8',
};

const CRON = 'cron: { expression: "0 3 * * *" }';

const SLOTS = 'slots: ["1", "2"], switch_command: "switch {candidate_slot}"';
const CHECK_OF_ROLLOUT = /^deployment\.blue_green\.(\w+)\.(after_ready)$/;

const flow = (key: string, value: string): string => {
  const [, check, last] = CHECK_OF_ROLLOUT.exec(key) ?? [];
  if (check !== undefined && last !== undefined)
    return `deployment: { blue_green: { ${SLOTS}, ${check}: { command: check, ${last}: ${value} } } }`;
  const [outer = '', inner] = key.split('.');
  return inner === undefined ? `${outer}: ${value}` : `${outer}: { ${inner}: ${value} }`;
};

const manifestWith = ({ in: place, key, beside }: NotCarriedOut, value: string, version: string): string =>
  place === 'service'
    ? manifestOf(`${flow(key, value)}${beside?.keys?.includes('cron') === true ? `\n${CRON}` : ''}`, version)
    : `version: ${version}\n${flow(key, value)}\nservices: { web: { command: run } }\n`;

const load = (row: NotCarriedOut, version: string, value = ASKING[row.key] ?? ''): LoadResult =>
  loadText(manifestWith(row, value, version));

/** What is said of the key, and how. */
const said = (row: NotCarriedOut, { problems }: LoadResult): readonly string[] =>
  problems
    .filter(({ path }) => path.replace('services.web.', '') === row.key)
    .map(({ code, severity, message }) => `${severity} ${code} ${message}`);

describe('a key that is not carried out', () => {
  it.each(NOT_CARRIED_OUT.map((row) => [row.key, row] as const))(
    '%s is never accepted in silence',
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
  )('with %s asks for nothing', (_, row, value) => {
    expect(load(row, '3', value).problems).toEqual([]);
  });

  it.each([
    'deployment: { strategy: rolling, grace_period: 5s }',
    'deployment: { grace_period: 5s, blue_green: { slots: [1, 2], switch_command: x } }',
    'restart_policy: always\nbackoff: 5s\nmax_restarts: 8',
    CRON,
  ])('has an effect beside what else is said, or is not written: %s', (fields) => {
    expect(loadText(manifestOf(fields, '3')).problems).toEqual([]);
  });

  it('is judged by what a variable stands for', () => {
    const of = (own: string) =>
      loadText(manifestOf(`isolation: { private_tmp: "\${S}" }`, '2'), { environment: { S: own } }).problems;
    expect(of('false')).toEqual([]);
    expect(of('true')).toMatchObject([{ code: 'ERR0721', severity: 'warning' }]);
  });

  it('is listed once', () => {
    const keys = NOT_CARRIED_OUT.map(({ key }) => key);
    expect(new Set(keys).size).toBe(keys.length);
  });
});
