import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { imported } from '../support/imported.ts';

const service = (text: string): string =>
  `services:\n  web:\n    command: run\n${text.trim().replaceAll(/^/gm, '    ')}\n  db: { command: db }\n`;

/** The service `web` of a Compose file with these keys, loaded from the manifest. */
const webOf = async (text: string, more: Readonly<Record<string, string>> = {}) => {
  const { loaded, told, directory } = await imported({ 'compose.yaml': service(text), ...more });
  expect(loaded.problems.filter(({ severity }) => severity === 'error')).toEqual([]);
  const spec = (loaded.manifest?.groups?.[0]?.template ??
    loaded.manifest?.services.find(({ name }) => name === 'web'))!;
  return { spec, told: told.filter((line) => !line.includes(' restart:')), directory };
};

describe('the import of a Compose file', () => {
  it('services become services of a manifest with a comment at each difference', async () => {
    const { manifest, loaded, told } = await imported({
      'compose.yaml': `name: shop
services:
  db:
    image: redis:7
    command: redis-server --port 6390
    healthcheck: { test: [CMD, redis-cli, -p, "6390", ping], interval: 5s }
  web:
    build: .
    command: node web.js
    environment: [PORT=8460, "REDIS=redis://db:6390", HOME]
    depends_on: [db]
    restart: on-failure:5
  mail:
    image: mailpit
`,
    });
    expect(manifest).toBe(`# Imported from compose.yaml (compose) by sup import.

version: "2"
projects:
  shop:
    services:
      db:
        x-image: redis:7
        exec: [redis-server, --port, "6390"]
        deployment:
          health_check:
            command: redis-cli -p 6390 ping
            interval: 5s
            total_timeout: 15s
            on_failure: ignore
        restart_policy: never
      web:
        # changed: build (line 8): nothing is built: install the program and what it needs on this machine
        exec: [node, web.js]
        # changed: environment (line 10): REDIS: redis://db:6390 is redis://127.0.0.1:6390 on this machine
        env:
          vars: { PORT: "8460", REDIS: redis://127.0.0.1:6390 }
        depends_on: [db]
        restart_policy: on-failure
        max_restarts: 5
      mail:
        x-image: mailpit
        # lost: command (line 13): the image mailpit has the program: write the command of this machine here, and remove
        # skip
        command: "false"
        skip: true
        restart_policy: never
`);
    expect(loaded.problems).toEqual([]);
    expect(told.map((line) => line.split(' ').slice(0, 3).join(' '))).toEqual([
      ...['changed web build:8', 'changed web environment:10', 'lost mail command:13'],
    ]);
  });

  it.each([
    ['entrypoint: [sh, -c, "echo $$0"]', { launch: { tag: 'exec', argv: ['sh', '-c', 'echo $0', 'run'] } }],
    ['entrypoint: run --it', { launch: { tag: 'exec', argv: ['run', '--it', 'run'] } }],
    ['stop_signal: 2\nstop_grace_period: 1m30s', { stopSignal: 'SIGINT', stopTimeout: 90_000 }],
    ['restart: always', { restartPolicy: 'always' }],
    ['restart: "no"', { restartPolicy: 'never' }],
    [
      'security_opt: ["no-new-privileges:true"]',
      { privilege: { isolation: { noNewPrivs: true } }, restartPolicy: 'never' },
    ],
    [
      'deploy: { restart_policy: { condition: on-failure, delay: 2s, max_attempts: 3 } }',
      { restartPolicy: 'on-failure', maxRestarts: 3 },
    ],
    ['deploy: { update_config: { order: start-first } }', { deployment: { strategy: 'rolling' } }],
    ['deploy: { replicas: 0 }', { skip: true }],
    [
      'user: "1000:50"\ngroup_add: [audio]',
      { privilege: { user: '1000', group: '50', supplementaryGroups: ['audio'] } },
    ],
    [
      'cap_drop: [ALL]\ncap_add: [NET_BIND_SERVICE]',
      { privilege: { capabilities: ['CAP_NET_BIND_SERVICE'] } },
    ],
    [
      'ulimits: { nofile: { soft: 100, hard: 100 }, core: -1 }',
      { privilege: { limits: { nofile: 100, core: 'unlimited' } } },
    ],
    [
      'mem_limit: 512m\ncpus: 0.5\npids_limit: 10',
      { privilege: { limits: { cgroup: { memoryMax: 536_870_912, cpuMax: '50000 100000', pidsMax: 10 } } } },
    ],
    [
      'deploy: { resources: { limits: { memory: 1g, cpus: "2" } } }',
      { privilege: { limits: { cgroup: { memoryMax: 1_073_741_824, cpuMax: '200000 100000' } } } },
    ],
    [
      'cpuset: 0-1,3\noom_score_adj: 10',
      { privilege: { limits: { cpuAffinity: [0, 1, 3], oomScoreAdj: 10 } } },
    ],
    [
      'logging: { driver: json-file, options: { max-size: 10m, max-file: "3" } }',
      { logs: { maxBytes: 10_485_760, maxFiles: 2 } },
    ],
    ['logging: { driver: none }', { logs: { sink: 'none' } }],
    ['tmpfs: /tmp\nnetwork_mode: none', { privilege: { isolation: { privateTmp: true, network: true } } }],
    [
      'pre_stop: [{ command: [./drain, "a b"] }]\npost_start: [{ command: ./say }]',
      { stopCommand: "./drain 'a b'", hooks: { onstart: { command: './say' } } },
    ],
    [
      'depends_on: { db: { condition: service_completed_successfully, required: false } }',
      { dependsOn: [{ condition: 'completed', required: false }] },
    ],
    ['links: ["db:database"]', { dependsOn: [{ condition: 'started' }] }],
    [
      'healthcheck: { test: "a && b", start_period: 10s, retries: 2, interval: 5s, start_interval: 1s }',
      {
        deployment: {
          healthCheck: {
            probe: { command: 'a && b' },
            totalTimeout: 20_000,
            interval: 5000,
            retries: 2,
            startInterval: 1000,
            onFailure: 'ignore',
          },
        },
      },
    ],
    ['environment: { A: 1, B: true, C: "$${X}", D: }', { env: { vars: { A: '1', B: 'true', C: '${X}' } } }],
    ['profiles: [dev]', undefined],
    ['scale: 3', { name: 'web' }],
  ])('%s has a counterpart', async (text, expected) => {
    const { spec } = expected === undefined ? { spec: undefined } : await webOf(text);
    if (expected !== undefined) expect(spec).toMatchObject(expected);
    else expect((await imported({ 'compose.yaml': service(text) })).manifest).toContain('profiles: [dev]');
  });

  it.each([
    [
      'networks: [a]',
      'lost web networks:4 services use the network of the machine, and reach each other at 127.0.0.1',
    ],
    [
      'volumes: [data:/var/lib/x]',
      'lost web volumes:4 "data:/var/lib/x": the program has no volume; it keeps its data in /var/lib/x of this machine',
    ],
    [
      'ports: ["8080:80"]',
      'lost web ports:4 "8080:80": the program opens port 80 itself; set 8080 in its settings if it must be that',
    ],
    [
      'ports: ["127.0.0.1:80:80"]',
      'changed web ports:4 the program itself decides at which address it opens port 80; here it was 127.0.0.1',
    ],
    ['what: 1', 'lost web what:4 sup import does not know this key'],
    ['stop_signal: SIGFOO', 'lost web stop_signal:4 "SIGFOO" is not a signal'],
    [
      'healthcheck: { test: [CMD, a], interval: soon }',
      'lost web healthcheck.interval:4 "soon" is not a duration',
    ],
    [
      'depends_on: { db: { condition: service_healthy } }',
      'changed web depends_on:4 db has no health check here: that of its image is not known, so sup waits until it runs',
    ],
    [
      'command: [--port, "1"]',
      'lost web command:4 the entrypoint of its image is not known: write the program before --port, and remove skip',
    ],
  ])('%s is reported with its line', async (text, expected) => {
    const whole = service(text).replace(
      '    command: run\n',
      text.startsWith('command') ? '    # run\n' : '    command: run\n',
    );
    expect((await imported({ 'compose.yaml': whole })).told).toContain(expected);
  });

  it.each([
    'expose: [80]',
    'container_name: w',
    'labels: { a: b }',
    'init: true',
    'x-own: 1',
    'ports: ["80:80"]',
    'depends_on: []',
    'healthcheck: { test: [NONE] }',
    'attach: false',
  ])('%s needs no counterpart', async (text) => {
    expect((await webOf(text)).told).toEqual([]);
  });

  it('a line for a shell becomes a command', async () => {
    const text = 'services: { web: { entrypoint: [/bin/sh, -c], command: ["echo $${A}$$B"] } }';
    const { loaded } = await imported({ 'compose.yaml': text });
    expect(loaded.manifest?.services[0]?.launch).toEqual({ tag: 'shell', command: 'echo ${A}$B' });
  });

  it('paths of volumes become those of this machine', async () => {
    const { spec, directory } = await webOf(
      'working_dir: /app/x\nvolumes: ["./src:/app:ro"]\nenvironment: { FILE: /app/a.txt }\nentrypoint: [node, /app/web.js]',
    );
    expect(spec.workingDir).toBe(join(directory, 'src/x'));
    expect(spec.env.vars['FILE']).toBe(join(directory, 'src/a.txt'));
    expect(spec.launch).toMatchObject({ argv: ['node', join(directory, 'src/web.js'), 'run'] });
  });

  it('env files, secrets and files to watch keep their places', async () => {
    const text = `${service('env_file: [a.env]\nsecrets: [db_password]\ndevelop: { watch: [{ path: src, action: restart }, { path: x, action: sync, target: /x }] }')}
secrets: { db_password: { file: ./password } }\n`;
    const { loaded, told, directory } = await imported({
      'compose.yaml': text,
      'a.env': 'A=1\n',
      password: 'x',
    });
    expect(loaded.manifest?.services[0]).toMatchObject({
      env: { vars: { A: '1' }, secrets: { DB_PASSWORD: join(directory, 'password') } },
      watch: { paths: [join(directory, 'src')] },
    });
    expect(told.join('\n')).toContain('sync of x: a program of this machine uses its files directly');
  });

  it('a secret has the name that its file has in the container, and a second one of this name is lost', async () => {
    const used = '[{ source: db-2, target: db }, { source: key, target: /etc/key.pem }, a-b, a_b]';
    const files = ['db-2', 'key', 'a-b', 'a_b'];
    const { loaded, told, directory } = await imported({
      'compose.yaml': `${service(`secrets: ${used}`)}
secrets: { ${files.map((name) => `${name}: { file: ./${name} }`).join(', ')} }\n`,
      ...Object.fromEntries(files.map((name) => [name, 'x'])),
    });
    const [first, second, third] = files.map((name) => join(directory, name));
    expect(loaded.manifest?.services[0]?.env.secrets).toEqual({ DB: first, KEY: second, A_B: third });
    const ofSecrets = told.filter((line) => line.includes(' secrets:'));
    expect(ofSecrets.filter((line) => line.startsWith('lost'))).toEqual([
      expect.stringMatching(/^lost web secrets:\d+ a_b: another secret is the variable A_B$/),
    ]);
  });

  it('several env files are written as variables, of which the last one counts', async () => {
    const { spec } = await webOf(
      'env_file: [a.env, { path: b.env }, { path: c.env, required: false }]\nenvironment: { B: own }',
      {
        'a.env': 'A=1\nB=1\n',
        'b.env': 'A=2\n',
      },
    );
    expect(spec.env.vars).toEqual({ A: '2', B: 'own' });
  });
});
