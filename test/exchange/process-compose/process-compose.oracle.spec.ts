// An imported file of process-compose really runs: order, environment, health, restart and stop.
import { kill } from 'node:process';
import { expect, it } from 'vitest';
import { freePort } from '../../scenarios/support/free-port.ts';
import { playOf } from '../support/plays.ts';

const fileWith = (port: number): string => `version: "0.5"
environment: [DATABASE=db.sock]
vars: { PORT: ${port} }
processes:
  api:
    command: node play.js api
    environment: ["PORT={{.PORT}}", "NOTE=\${STAGE}", "TOKEN=a b"]
    availability: { restart: on_failure, backoff_seconds: 1, max_restarts: 4 }
    readiness_probe: { http_get: { host: 127.0.0.1, port: ${port} }, period_seconds: 1, failure_threshold: 20 }
    shutdown: { signal: 2, timeout_seconds: 20 }
    depends_on: { migrate: { condition: process_completed_successfully }, db: { condition: process_log_ready } }
  migrate:
    command: python3 play.py migrate && true
    depends_on: { db: { condition: process_log_ready } }
  db:
    command: exec python3 play.py db
    availability: { restart: always, backoff_seconds: 1 }
    ready_log_line: ready
`;

it('an imported file of process-compose runs: order, environment, health, restart and stop', async () => {
  const file = fileWith(await freePort());
  const { sup, once, noted } = await playOf({ 'process-compose.yaml': file, '.env': 'STAGE=test\n' });
  expect(await noted(6)).toEqual([
    ...['db starts - -', 'db listens', 'migrate starts - -', 'migrate ends'],
    ...['api starts test a b', 'api listens'],
  ]);

  const { api, db, migrate } = await once((all) => all['api']?.health === 'healthy');
  expect([db?.state, migrate?.state]).toEqual(['running', 'done']);
  kill(api?.pid ?? 0, 'SIGKILL');
  expect(await noted(2)).toEqual(['api starts test a b', 'api listens']);
  const after = await once((all) => all['api']?.health === 'healthy');
  expect(after['api']).toMatchObject({ restarts: 1, last_exit: { signal: 'SIGKILL' } });

  kill(db?.pid ?? 0, 'SIGKILL');
  const fallen = await noted(5);
  expect(fallen.filter((line) => line.startsWith('api'))).toEqual([
    ...['api SIGINT', 'api starts test a b', 'api listens'],
  ]);
  expect(fallen.indexOf('api starts test a b')).toBeGreaterThan(fallen.indexOf('db listens'));
  await once((all) => all['api']?.health === 'healthy' && all['db']?.state === 'running');

  await sup('stop', '--all', '--yes');
  expect(await noted(2)).toEqual(['api SIGINT', 'db SIGTERM']);
});
