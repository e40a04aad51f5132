import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { composeExport } from '../../../src/exchange/compose/compose-export.ts';
import { exported, lossLine } from '../support/exported.ts';

const head = 'version: "2"\nprojects:\n  shop:\n    services:\n';

type Table = Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, unknown>>>>>>;

const written = (services: string): { text: string; losses: readonly string[] } => {
  const { files, losses } = exported(`${head}${services}`, composeExport, { '*': 'shop:1' });
  expect(files.map(({ name }) => name)).toEqual(['compose.yaml']);
  return { text: files[0]?.text ?? '', losses: losses.map(lossLine) };
};

describe('the export to Compose', () => {
  it('writes the run, the rights, the limits, the output and the check of a service', () => {
    const { text, losses } = written(`
      db:
        x-image: postgres:16
        command: exec postgres -c "port=$PORT"
        working_dir: /srv
        user: "70:50"
        umask: "0077"
        env: { vars: { PORT: "5432", GREETING: "a$$b c", EMPTY: "" }, secrets: { KEY: { file: /run/keys/db } } }
        restart_policy: always
        stop_signal: SIGINT
        stop_timeout: 90s
        stop_command: pg_ctl stop
        capabilities: [NET_BIND_SERVICE]
        limits:
          nofile: 4096
          nice: 5
          oom_score_adj: 100
          cgroup: { memory_max: 1G, cpu_max: "150000 100000", pids_max: 100 }
        logs: { max_bytes: 20M, max_files: 3, compress: true, max_age: 14d }
        sockets: [{ name: sql, listen: "0.0.0.0:22" }]
        isolation: { no_new_privs: true, network: true }
        deployment:
          health_check: { command: pg_isready, interval: 5s, attempt_timeout: 3s, retries: 4, total_timeout: 60s }
`);
    expect(text).toMatchInlineSnapshot(`
      "# Made by sup export --to compose.

      name: shop
      services:
        db:
          image: shop:1
          entrypoint: [sh, -c, exec postgres -c "port=$$PORT"]
          # changed: working_dir (line 9): this is a directory of the image
          working_dir: /srv
          environment: { PORT: "5432", GREETING: a$$b c, EMPTY: "" }
          restart: always
          stop_signal: SIGINT
          stop_grace_period: 90s
          pre_stop:
            - command:
                - sh
                - -c
                - pg_ctl stop
          healthcheck:
            test: [CMD-SHELL, pg_isready]
            interval: 5s
            timeout: 3s
            retries: 4
            start_period: 40s
          # changed: deployment.health_check.on_failure (line 6): Compose marks it as unhealthy and does nothing else
          user: "70:50"
          cap_add: [NET_BIND_SERVICE]
          cap_drop: [ALL]
          ulimits: { nofile: 4096 }
          oom_score_adj: 100
          mem_limit: 1073741824
          cpus: 1.5
          pids_limit: 100
          secrets: [KEY]
          logging:
            options: { max-size: "20971520", max-file: "4", compress: "true" }
          # changed: sockets (line 24): the program must open the port itself
          ports: ["22:22"]
          network_mode: none
          security_opt: [no-new-privileges:true]
          # lost: umask (line 11): there is no counterpart
          # lost: limits.nice (line 20): there is no counterpart
          # lost: logs.max_age (line 23): there is no counterpart
      secrets:
        KEY:
          file: /run/keys/db
      "
    `);
    expect(losses).toMatchInlineSnapshot(`
      [
        "changed db.working_dir: this is a directory of the image",
        "changed db.deployment.health_check.on_failure: Compose marks it as unhealthy and does nothing else",
        "changed db.sockets: the program must open the port itself",
        "lost db.umask: there is no counterpart",
        "lost db.limits.nice: there is no counterpart",
        "lost db.logs.max_age: there is no counterpart",
      ]
    `);
  });

  it('writes the order, replicas, schedules and restarts of several services', () => {
    const { text, losses } = written(`
      db: { exec: [db], deployment: { health_check: { tcp: "127.0.0.1:5432" } } }
      migrate: { exec: [npm, run, "migrate now"], restart_policy: never, depends_on: [db] }
      web:
        exec: [node, web.js, "$HOME"]
        replicas: 2
        max_restarts: 3
        backoff: 5s
        essential: true
        hooks: { onerr: { command: echo failed } }
        deployment: { strategy: rolling }
        depends_on:
          - { service: migrate, condition: completed }
          - { service: db, required: false }
      report: { exec: [node, report.js], cron: { expression: "0 3 * * *" } }
      idle: { exec: [sleep, "9"], skip: true }
`);
    expect(text).toMatchInlineSnapshot(`
      "# Made by sup export --to compose.

      name: shop
      services:
        db:
          image: shop:1
          entrypoint: [db]
          restart: on-failure:8
          # changed: deployment.health_check.tcp (line 6): nc opens the port: the image must have it
          healthcheck:
            test: [CMD-SHELL, nc -z 127.0.0.1 5432]
            interval: 2s
            timeout: 30s
            retries: 3
          # changed: deployment.health_check.on_failure (line 6): Compose marks it as unhealthy and does nothing else
        migrate:
          image: shop:1
          entrypoint: [npm, run, migrate now]
          depends_on:
            db:
              condition: service_healthy
          restart: "no"
        web:
          image: shop:1
          entrypoint: [node, web.js, $$HOME]
          depends_on:
            migrate:
              condition: service_completed_successfully
            db:
              condition: service_healthy
              required: false
          restart: on-failure:3
          # lost: hooks (line 14): onerr: Compose runs no command then
          deploy:
            replicas: 2
            update_config:
              order: start-first
          # lost: backoff (line 12): there is no counterpart
          # lost: essential (line 13): there is no counterpart
        report:
          image: shop:1
          entrypoint: [node, report.js]
          profiles: [cron]
          restart: "no"
          # lost: cron.expression (line 19): Compose has no schedules: let cron of the machine run docker compose run --rm
          # report
        idle:
          image: shop:1
          entrypoint: [sleep, "9"]
          restart: on-failure:8
          deploy:
            replicas: 0
      "
    `);
    expect(losses).toMatchInlineSnapshot(`
      [
        "changed db.deployment.health_check.tcp: nc opens the port: the image must have it",
        "changed db.deployment.health_check.on_failure: Compose marks it as unhealthy and does nothing else",
        "lost web.hooks: onerr: Compose runs no command then",
        "lost web.backoff: there is no counterpart",
        "lost web.essential: there is no counterpart",
        "lost report.cron.expression: Compose has no schedules: let cron of the machine run docker compose run --rm report",
      ]
    `);
  });

  it('secrets of one name with different files keep their files, and their names in the containers', () => {
    const { text, losses } = written(`
      api: { exec: [api], env: { secrets: { KEY: { file: /run/keys/api }, ALL: { file: /run/keys/all } } } }
      web: { exec: [web], env: { secrets: { KEY: { file: /run/keys/web }, ALL: { file: /run/keys/all } } } }
      job: { exec: [job], env: { secrets: { KEY: { file: /run/keys/web } } } }
      old: { exec: [old], env: { secrets: { KEY: { file: /run/keys/old } } } }
`);
    const { services, secrets } = parse(text) as Table;
    expect(Object.entries(services ?? {}).map(([name, service]) => [name, service['secrets']])).toEqual([
      ['api', ['KEY', 'ALL']],
      ['web', [{ source: 'KEY-2', target: 'KEY' }, 'ALL']],
      ['job', [{ source: 'KEY-2', target: 'KEY' }]],
      ['old', [{ source: 'KEY-3', target: 'KEY' }]],
    ]);
    expect(secrets).toEqual({
      KEY: { file: '/run/keys/api' },
      ALL: { file: '/run/keys/all' },
      'KEY-2': { file: '/run/keys/web' },
      'KEY-3': { file: '/run/keys/old' },
    });
    expect(losses).toEqual([]);
  });
});
