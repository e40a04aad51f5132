// An imported Compose file really runs: order, environment, health, restart and stop.
import { kill } from 'node:process';
import { expect, it } from 'vitest';
import { playOf, without } from '../support/plays.ts';

const COMPOSE = `name: stall
x-shop: &shop
  image: shop:1
  environment: &environment { DATABASE: "\${DATABASE}", NOTE: "5$$" }
services:
  web: { <<: *shop, command: node play.js web, restart: unless-stopped, depends_on: [api] }
  worker:
    <<: *shop
    entrypoint: [python3, play.py]
    command: worker
    restart: on-failure
    environment: { <<: *environment, TOKEN: "a b" }
    depends_on: { api: { condition: service_healthy } }
  api:
    <<: *shop
    command: [node, play.js, api]
    env_file: api.env
    restart: always
    stop_signal: SIGINT
    healthcheck: { test: python3 reach.py api.sock, interval: 200ms, timeout: 10s, retries: 80 }
    depends_on:
      db: { condition: service_healthy }
      migrate: { condition: service_completed_successfully }
  migrate: { <<: *shop, command: python3 play.py migrate, depends_on: { db: { condition: service_healthy } } }
  db:
    image: postgres:16
    command: python3 play.py db
    restart: always
    healthcheck: { test: [CMD, python3, reach.py, db.sock], interval: 200ms, timeout: 10s, retries: 80 }
`;

const FILES = {
  'compose.yaml': COMPOSE,
  '.env': 'DATABASE=db.sock\n',
  'api.env': 'TOKEN=t1\nNOTE=of the file\n',
};

it('an imported Compose file runs: order, environment, health, restart, dependents and stop', async () => {
  const { sup, once, noted } = await playOf(FILES);
  const started = await noted(10);
  const first = [
    ...['db starts - -', 'db listens', 'migrate starts 5$ -', 'migrate ends'],
    ...['api starts 5$ t1', 'api listens'],
  ];
  expect(without(started, 'worker')).toEqual([...first, 'web starts 5$ -', 'web listens']);
  expect(without(started, 'web')).toEqual([...first, 'worker starts 5$ a b', 'worker listens']);

  const { api, db, migrate, web } = await once(
    (all) => all['api']?.health === 'healthy' && all['web']?.state === 'running',
  );
  expect([db?.health, migrate?.state, web?.state]).toEqual(['healthy', 'done', 'running']);
  kill(api?.pid ?? 0, 'SIGKILL');
  const again = await noted(8);
  expect(without(again, 'api').toSorted()).toEqual([
    ...['web SIGTERM', 'web listens', 'web starts 5$ -'],
    ...['worker SIGTERM', 'worker listens', 'worker starts 5$ a b'],
  ]);
  for (const dependent of ['web starts 5$ -', 'worker starts 5$ a b'])
    expect(again.indexOf(dependent)).toBeGreaterThan(again.indexOf('api listens'));
  const after = await once((all) => all['api']?.health === 'healthy' && all['web']?.state === 'running');
  expect(after['api']).toMatchObject({ restarts: 1, last_exit: { signal: 'SIGKILL' } });
  expect(after['db']).toMatchObject({ restarts: 0, pid: db?.pid });

  await sup('stop', '--all', '--yes');
  const stopped = await noted(4);
  expect(stopped.slice(0, 2).toSorted()).toEqual(['web SIGTERM', 'worker SIGTERM']);
  expect(stopped.slice(2)).toEqual(['api SIGINT', 'db SIGTERM']);
});
