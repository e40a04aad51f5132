import { describe, expect, it } from 'vitest';
import { PROCESS_COMPOSE_ROWS } from '../../../src/exchange/process-compose/process-compose-table.ts';
import { imported, importRefusal } from '../support/imported.ts';

/** The keys of a process in the published JSON Schema, without those that the program itself fills in. */
const SCHEMA_KEYS = [
  ...['disabled', 'is_daemon', 'command', 'entrypoint', 'log_location', 'log_configuration', 'environment'],
  ...['availability.restart', 'availability.backoff_seconds', 'availability.max_restarts'],
  ...['availability.exit_on_end', 'availability.exit_on_skipped', 'depends_on', 'liveness_probe'],
  ...['readiness_probe', 'ready_log_line', 'shutdown.command', 'shutdown.timeout_seconds', 'shutdown.signal'],
  ...['shutdown.parent_only', 'disable_ansi_colors', 'working_dir', 'namespace', 'replicas', 'description'],
  ...['vars', 'is_foreground', 'is_tty', 'is_elevated', 'launch_timeout_seconds', 'is_disabled'],
  'is_dotenv_disabled',
];

const SOURCE = `version: "0.5"
environment: [STAGE=test]
vars: { PORT: 8080 }
processes:
  db:
    command: run-db --port {{.PORT}}
    readiness_probe: { http_get: { port: 8080, path: /ready }, period_seconds: 2, failure_threshold: 5 }
    liveness_probe: { exec: { command: is-alive, working_dir: /srv } }
    availability: { restart: on_failure, backoff_seconds: 2, max_restarts: 5 }
    shutdown: { command: stop-db, signal: 2, timeout_seconds: 30 }
  migrate: { command: "echo $$HOME", depends_on: { db: { condition: process_healthy } } }
  web:
    entrypoint: [node, web.js]
    environment: ["A=1"]
    depends_on: { migrate: { condition: process_completed_successfully } }
    ready_log_line: "up (now)"
    namespace: front
    replicas: 2
  report: { command: report, schedule: { interval: 30m }, is_daemon: false }
`;

describe('the import of process-compose', () => {
  it('each key of the schema has a row', () => {
    const rows = PROCESS_COMPOSE_ROWS.flatMap(({ theirs, also = [] }) => [theirs, ...also]);
    expect(SCHEMA_KEYS.filter((key) => !rows.includes(key))).toEqual([]);
  });

  it('processes become services', async () => {
    const { loaded, told } = await imported({ 'process-compose.yaml': SOURCE });
    expect(loaded.problems).toEqual([]);
    const [db, migrate, report] = loaded.manifest?.services.filter(({ name }) => !name.includes('@')) ?? [];
    expect(db).toMatchObject({
      launch: { argv: ['bash', '-c', 'run-db --port 8080'] },
      env: { vars: { STAGE: 'test' } },
      restartPolicy: 'on-failure',
      maxRestarts: 5,
      stopSignal: 'SIGINT',
      stopTimeout: 30_000,
      stopCommand: 'stop-db',
      deployment: {
        healthCheck: {
          probe: { url: 'http://127.0.0.1:8080/ready' },
          interval: 2000,
          totalTimeout: 10_000,
          liveness: { probe: { command: 'cd /srv && is-alive' }, interval: 10_000, attemptTimeout: 1000 },
        },
      },
    });
    expect(migrate).toMatchObject({ launch: { argv: ['bash', '-c', 'echo $HOME'] }, restartPolicy: 'never' });
    expect(report).toMatchObject({ kind: 'cron', cron: { expression: '*/30 * * * *' } });
    expect(loaded.manifest?.groups?.[0]?.template).toMatchObject({
      launch: { argv: ['node', 'web.js'] },
      env: { vars: { STAGE: 'test', A: '1' } },
      dependsOn: [{ condition: 'completed' }],
      deployment: { healthCheck: { probe: { log: String.raw`up \(now\)` } } },
    });
    expect(told).toEqual([
      'lost web namespace:17 services of a namespace are started by their names; projects keep services apart',
    ]);
  });

  it('variables come from the environment and .env, which is the env file too', async () => {
    const files = {
      'process-compose.yaml':
        'processes: { a: { command: "$A ${B:-b} $(x) ${C}" }, b: { command: b, is_dotenv_disabled: true } }',
      '.env': 'A=file\n',
    };
    const { loaded } = await imported(files);
    expect(loaded.manifest?.services.map(({ launch, env }) => [launch, env.vars])).toEqual([
      [{ tag: 'exec', argv: ['bash', '-c', 'file b $(x) '] }, { A: 'file' }],
      [{ tag: 'exec', argv: ['bash', '-c', 'b'] }, {}],
    ]);
  });

  it('names in vars are replaced in all texts, and another template is reported as a loss', async () => {
    const { loaded, told } = await imported({
      'process-compose.yaml': `vars: { PORT: 81, HOST: localhost }
processes:
  a:
    vars: { HOST: "127.0.0.1" }
    command: "serve {{ .PORT }}"
    environment: ["PORT={{.PORT}}", "REPLICA={{.PC_REPLICA_NUM}}"]
    readiness_probe: { http_get: { host: "{{.HOST}}", port: "{{.PORT}}" } }
`,
    });
    expect(loaded.manifest?.services[0]).toMatchObject({
      launch: { argv: ['bash', '-c', 'serve 81'] },
      env: { vars: { PORT: '81', REPLICA: '{{.PC_REPLICA_NUM}}' } },
      deployment: { healthCheck: { probe: { url: 'http://127.0.0.1:81/' } } },
    });
    expect(told).toEqual([
      'lost a environment:6 {{.PC_REPLICA_NUM}} stays as it is: only the name of a variable in vars is replaced',
    ]);
  });

  it.each([
    ['is_daemon: true', 'lost a is_daemon:3'],
    ['availability: { restart: exit_on_failure }', 'lost a availability.restart:3'],
    ['availability: { exit_on_end: true }', 'changed a availability.exit_on_end:3'],
    ['schedule: { interval: 7m }', 'lost a schedule.interval:3'],
    ['what: 1', 'lost a what:3'],
  ])('%s is reported with its line', async (text, expected) => {
    const { told } = await imported({
      'process-compose.yaml': `processes:\n  a: { command: a,\n    ${text} }\n`,
    });
    expect(told.join('\n')).toContain(expected);
  });

  it.each([
    ['processes: { a: 1 }', 'a is not a map'],
    ['processes: {}', 'ERR0804'],
    ['processes: [', 'cannot be read as a file of process-compose'],
    ['processes: { a: { command: !include /etc/passwd } }', 'the tag !include is not known'],
  ])('%s is refused', async (text, message) => {
    expect(await importRefusal({ 'process-compose.yaml': text })).toContain(message);
  });
});
