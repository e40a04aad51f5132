import { describe, expect, it } from 'vitest';
import { loadText, manifestOf } from '../loading.ts';
import type { Problem } from '../../../src/streams/domain/declared/manifest.ts';
import { satisfies } from '../satisfying.ts';

/** Values of every type, most of which no key takes. */
const VALUES = [
  ...['null', '""', '" "', 'true', '-1', '1.5', '.nan', '.inf', '99999999999999999999', '5 parsecs'],
  ...['[]', '[null]', '[[a]]', '{}', '{ nothing: 1 }', '"a\\0b"', '"${NOWHERE}"'],
];

type Row = readonly [key: string, fields: string, ...taken: readonly string[]];

const check = (fields: string): string => `deployment: { health_check: { ${fields} } }`;
const alive = (fields: string): string => check(`notify: true, liveness: { ${fields} }`);
const cron = (fields: string): string => `cron: { expression: "0 0 * * *", ${fields} }`;
const [TEXT, FLAG] = ['5 parsecs', 'true'];

/** The keys of what people expect to declare: `@` is the value, then the values that the key takes. */
const ROWS: readonly Row[] = [
  ['deployment.health_check.tcp', check('tcp: @')],
  ['deployment.health_check.log', check('log: @'), TEXT],
  ['deployment.health_check.notify', check('notify: @'), FLAG],
  ['deployment.health_check.after_ready', check('command: x, after_ready: @')],
  ['deployment.health_check.on_failure', check('command: x, on_failure: @')],
  ['deployment.health_check.liveness', check('command: x, liveness: @')],
  ['deployment.health_check.liveness.command', alive('command: @'), TEXT],
  ['deployment.health_check.liveness.url', alive('url: @')],
  ['deployment.health_check.liveness.tcp', alive('tcp: @')],
  ['deployment.health_check.liveness.watchdog', alive('watchdog: @')],
  ['deployment.health_check.liveness.interval', alive('tcp: 80, interval: @')],
  ['deployment.health_check.liveness.retries', alive('tcp: 80, retries: @')],
  ['deployment.health_check.liveness.on_failure', alive('tcp: 80, on_failure: @')],
  ['success_exit_codes', 'success_exit_codes: @'],
  ['success_exit_codes[0]', 'success_exit_codes: [@]'],
  ['stop_command', 'stop_command: @', TEXT],
  ['max_memory', 'max_memory: @'],
  ['max_memory_for', 'max_memory: 1G\nmax_memory_for: @'],
  ['depends_on[0].required', 'depends_on: [{ service: other, required: @ }]', FLAG],
  ['replicas', 'replicas: @'],
  ['profiles', 'profiles: @'],
  ['profiles[0]', 'profiles: [@]'],
  ['watch', 'watch: @'],
  ['watch.paths', 'watch: { paths: @ }'],
  ['watch.paths[0]', 'watch: { paths: [@] }', TEXT],
  ['watch.ignore', 'watch: { paths: [a], ignore: @ }'],
  ['watch.ignore[0]', 'watch: { paths: [a], ignore: [@] }', TEXT],
  ['watch.debounce', 'watch: { paths: [a], debounce: @ }'],
  ['watch.action', 'watch: { paths: [a], action: @ }'],
  ['cron.catch_up', cron('catch_up: @')],
  ['cron.jitter', cron('jitter: @')],
  ['cron.overlap', cron('overlap: @')],
  ['env.secrets', 'env: { secrets: @ }', '{}'],
  ['env.secrets.NAME', 'env: { secrets: { NAME: @ } }'],
  ['env.secrets.NAME.file', 'env: { secrets: { NAME: { file: @ } } }', TEXT],
  ['logs.compress', 'logs: { compress: @ }', FLAG],
  ['logs.max_age', 'logs: { max_age: @ }'],
  ['limits.oom_score_adj', 'limits: { oom_score_adj: @ }', '-1'],
  ['limits.stack', 'limits: { stack: @ }'],
  ['limits.fsize', 'limits: { fsize: @ }'],
  ['limits.core', 'limits: { core: @ }'],
  ['limits.cgroup.pids_max', 'limits: { cgroup: { pids_max: @ } }'],
  ['limits.cgroup.memory_high', 'limits: { cgroup: { memory_high: @ } }'],
];

/** Keys of a receiver of alerts, which stands at the top level. */
const RECEIVERS: readonly Row[] = [
  ['alerts', '@', '[]'],
  ['alerts[0]', '[@]'],
  ['alerts[0].on', '[{ command: x, on: @ }]'],
  ['alerts[0].on[0]', '[{ command: x, on: [@] }]'],
  ['alerts[0].command', '[{ command: @ }]', TEXT],
  ['alerts[0].url', '[{ url: @ }]'],
  ['alerts[0].timeout', '[{ command: x, timeout: @ }]'],
  ['alerts[0].recovered_after', '[{ command: x, recovered_after: @ }]'],
  ['alerts[0].secret', '[{ url: "http://a/", secret: @ }]'],
  ['alerts[0].secret.file', '[{ url: "http://a/", secret: { file: @ } }]', TEXT],
];

const inManifest = (alerts: string): string => `${manifestOf('')}alerts: ${alerts}\n`;

/** One service for each value. */
const inServices = (fields: string): string =>
  VALUES.reduce(
    (text, value, at) =>
      text +
      manifestOf(fields.replace('@', value)).split('\n').slice(2).join('\n').replace('web:', `s${at}:`),
    'version: 2\nservices:\n  other: { command: x }\n',
  );

const errorsIn = (text: string): readonly Problem[] =>
  loadText(text).problems.filter(({ severity }) => severity === 'error');

/** Expects that each error is of this key, and that its sentence can be read. */
const expectPlaced = (errors: readonly Problem[], key: string): void => {
  for (const { code, path, message, line, column } of errors) {
    expect(code).toMatch(/^ERR02\d\d$/);
    expect(path.startsWith(key), `${path} is at ${key}`).toBe(true);
    expect(message).not.toMatch(/undefined|object Object|\n/);
    expect([line, column]).toEqual([expect.any(Number), expect.any(Number)]);
  }
};

describe('a wrong value', () => {
  it.each(ROWS)('a wrong value of %s is refused at its place', (key, fields, ...taken) => {
    const errors = errorsIn(inServices(fields));
    const at = (value: number): string => `services.s${value}.`;
    const accepted = VALUES.filter((_, value) => {
      const own = errors.filter(({ path }) => path.startsWith(at(value)));
      expectPlaced(own, `${at(value)}${key}`);
      return own.length === 0;
    });
    expect(accepted).toEqual(taken);
  });

  it.each(RECEIVERS)('a wrong value of %s is refused at its place', (key, fields, ...taken) => {
    const accepted = VALUES.filter((value) => {
      const errors = errorsIn(inManifest(fields.replace('@', value)));
      expectPlaced(errors, key);
      return errors.length === 0;
    });
    expect(accepted).toEqual(taken);
  });

  it('what a key takes satisfies the JSON Schema', () => {
    const texts = [
      ...ROWS.flatMap(([, fields, ...taken]) => taken.map((value) => manifestOf(fields.replace('@', value)))),
      ...RECEIVERS.flatMap(([, fields, ...taken]) =>
        taken.map((value) => inManifest(fields.replace('@', value))),
      ),
    ];
    expect(texts.filter((text) => !satisfies(text))).toEqual([]);
  });
});
