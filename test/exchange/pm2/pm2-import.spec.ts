import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { pm2 } from '../../../src/exchange/pm2/pm2-import.ts';
import { Failure } from '../../../src/streams/views/errors/command-failure.ts';
import { imported, put, withScripts } from './importing.ts';

withScripts();

describe('an ecosystem file of PM2', () => {
  it('becomes a manifest with comments in the order of the file', async () => {
    put(
      'ecosystem.yaml',
      `apps:
  - name: api
    script: api.js
    args: --port 80 --title="a b"
    cwd: ./api
    env:
      PORT: 80
      PRICE: "\${A} $5"
    env_production: { PORT: 443 }
    wait_ready: true
  - script: worker.py
    namespace: jobs
    autorestart: false
deploy: {}
`,
    );
    const { manifest, losses } = await imported('ecosystem.yaml');
    expect(manifest).toMatchInlineSnapshot(`
      "# Imported from ecosystem.yaml (pm2) by sup import.
      # changed: max_restarts (line 1): sup counts all restarts until a service has been ready for 60 s, PM2 only
      # those after a run that was shorter than min_uptime
      # lost: deploy (line 14): pm2 deploy has no counterpart: copy the program as you do now, then run sup apply

      version: "2"
      projects:
        shop:
          services:
            api:
              exec: [node, api.js, --port, "80", --title="a b"]
              working_dir: api
              env:
                vars: { PORT: "80", PRICE: "$\${A} $5", NODE_APP_INSTANCE: "0" }
              # lost: env_production (line 9): only env is used: write these variables into production.env, and env.file:
              # "\${STAGE:-development}.env"
              # lost: wait_ready (line 10): there is no process.send: write deployment.health_check, such as { tcp: <port> },
              # or { notify: true } for READY=1
              restart_policy: always
              max_restarts: 15
              backoff: 0s
              stop_signal: SIGINT
              stop_timeout: 1600ms
        jobs:
          services:
            worker:
              exec: [python3, worker.py]
              env:
                vars: { PYTHONUNBUFFERED: "1", NODE_APP_INSTANCE: "0" }
              restart_policy: never
              stop_signal: SIGINT
              stop_timeout: 1600ms
      "
    `);
    expect(losses.map(({ effect, key, place: { line } }) => `${effect} ${key}:${line}`)).toEqual([
      'changed max_restarts:1',
      'lost deploy:14',
      'lost env_production:9',
      'lost wait_ready:10',
    ]);
  });

  it('gives a cron_restart a service of its own', async () => {
    put('ecosystem.json', JSON.stringify({ apps: [{ name: 'a b', script: 'app.js', cron: '0 4 * * *' }] }));
    const { projects } = parse((await imported('ecosystem.json')).manifest) as { projects: unknown };
    expect(projects).toMatchObject({
      shop: {
        services: {
          'a-b': {},
          'a-b-restart': {
            command: 'sup restart --yes "$SUP_PROJECT/a-b"',
            cron: { expression: '0 4 * * *' },
          },
        },
      },
    });
  });

  it('takes what JavaScript exports, with the lines where names are written', async () => {
    put(
      'ecosystem.config.js',
      `const x = 1;\nmodule.exports = {\n  apps: [{ name: 'a', script: 'a.js' },\n{ name: 'b',\n script: 'a.js', io: {} }] };\n`,
    );
    const value = {
      apps: [
        { name: 'a', script: 'a.js' },
        { name: 'b', script: 'a.js', io: {} },
      ],
    };
    const { losses, services } = await imported('ecosystem.config.js', value);
    expect(services).toBe(2);
    expect(losses.at(-1)).toMatchObject({ key: 'io', service: 'b', place: { line: 5 } });
  });

  it.each([
    ['ecosystem.config.js', '', true],
    ['vite.config.mjs', '', true],
    ['server.js', 'exports.apps = [{ script: "a" }]', false],
    ['ecosystem.json', '[{"script":"a"}]', true],
    ['processes.json', '{"apps":[{"script":"a"}]}', true],
    ['any.yaml', 'apps:\n  - script: a\n', true],
    ['process-compose.yaml', 'processes:\n  script: { command: a }\n', false],
    ['compose.yaml', 'services:\n  apps:\n    image: a\n', false],
  ])('%s with %j is recognised: %s', (path, text, expected) => {
    expect(pm2.recognises({ path, text, directory: '/' })).toBe(expected);
  });

  it('reads JSON with comments and tabs, a list of apps, and merge keys of YAML', async () => {
    put(
      'ecosystem.json',
      '[\n\t// a comment: "x"\n\t{ "name": "http://a", /* more */ "script": "app.js", },\n]',
    );
    expect((await imported('ecosystem.json')).manifest).toContain('http-a:');
    put('pm2.yml', 'base: &base { script: app.js, max_restarts: 2 }\napps:\n  - <<: *base\n    name: a\n');
    expect((await imported('pm2.yml')).manifest).toContain('max_restarts: 1');
  });
});

describe('an ecosystem file that cannot be read', () => {
  it.each<[string, string | Buffer, string, string]>([
    ['cut off', '{"apps":[{"name":"a"', 'ERR0802', 'ecosystem.json'],
    ['binary', Buffer.from([1, 0, 2]), 'ERR0803', 'ecosystem.json'],
    ['gigantic', ' '.repeat(5 * 1024 * 1024), 'ERR0803', 'ecosystem.json'],
    ['deeply nested', `${'['.repeat(10_000)}apps`, 'ERR0802', 'ecosystem.json'],
    [
      'of aliases that multiply',
      `apps: [{script: a}]\na: &a [x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b]\nd: &d [*c,*c,*c,*c,*c,*c,*c,*c,*c]\ne: &e [*d,*d,*d,*d,*d,*d,*d,*d,*d]\nf: [*e,*e,*e,*e,*e,*e,*e,*e,*e]\n`,
      'ERR0802',
      'pm2.yaml',
    ],
    ['of an alias to itself', 'apps: &a [{script: x, env: *a}]\n', 'ERR0802', 'pm2.yaml'],
    ['without a script', '{"apps":[{"name":"a"}]}', 'ERR0802', 'ecosystem.json'],
    ['of text instead of apps', '{"apps":["a"]}', 'ERR0802', 'ecosystem.json'],
    ['without apps', '{"apps":[]}', 'ERR0804', 'ecosystem.json'],
    [
      'of too many apps',
      JSON.stringify({ apps: Array.from({ length: 1001 }, () => ({ script: 'a' })) }),
      'ERR0802',
      'ecosystem.json',
    ],
    [
      'with a number that is none',
      '{"apps":[{"script":"a","max_restarts":"many"}]}',
      'ERR0802',
      'ecosystem.json',
    ],
    [
      'with a flag that is none',
      '{"apps":[{"script":"a","autorestart":"often"}]}',
      'ERR0802',
      'ecosystem.json',
    ],
    [
      'with a time that is none',
      '{"apps":[{"script":"a","min_uptime":"1 year"}]}',
      'ERR0802',
      'ecosystem.json',
    ],
    [
      'with a size that is none',
      '{"apps":[{"script":"a","max_memory_restart":"much"}]}',
      'ERR0802',
      'ecosystem.json',
    ],
  ])('%s is a typed error', async (_, ...[text, code, file]) => {
    put(file, text);
    const error = await imported(file).then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    expect(error).toBeInstanceOf(Failure);
    expect((error as Failure).document.code).toBe(code);
  });

  it('does not run JavaScript without being told to', async () => {
    put('ecosystem.config.js', 'module.exports = {};');
    await expect(imported('ecosystem.config.js')).rejects.toThrow();
  });

  it('keeps the prototypes of objects', async () => {
    put(
      'ecosystem.json',
      '{"apps":[{"script":"a","__proto__":{"polluted":1},"env":{"__proto__":{"polluted":1}}}]}',
    );
    await imported('ecosystem.json');
    expect(Reflect.get({}, 'polluted')).toBeUndefined();
  });
});
