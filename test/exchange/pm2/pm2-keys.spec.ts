import { describe, expect, it } from 'vitest';
import type { Plain } from '../../../src/exchange/key-table.ts';
import { one, type Service, withScripts } from './importing.ts';

withScripts();

describe('a key of PM2', () => {
  it.each<[string, Record<string, Plain>, Service]>([
    ['text for node', { script: 'tool' }, { exec: ['node', 'tool'] }],
    ['a program of the machine', { script: 'binary', args: ['a'] }, { exec: ['./binary', 'a'] }],
    ['a program of PATH', { script: 'sleep', args: '1' }, { exec: ['sleep', '1'] }],
    ['a line for a shell', { script: 'a && b', args: 'no' }, { exec: ['bash', '-c', 'a && b'] }],
    ['an extension', { script: 'x.rb' }, { exec: ['ruby', 'x.rb'] }],
    ['no interpreter', { script: './x.js', interpreter: 'none' }, { exec: ['./x.js'] }],
    [
      'arguments of node',
      { node_args: '--inspect -r "a b"' },
      { exec: ['node', '--inspect', '-r', 'a b', 'app.js'] },
    ],
    ['camelCase', { nodeArgs: ['-v'] }, { exec: ['node', '-v', 'app.js'] }],
    ['source maps', { source_map_support: true }, { exec: ['node', '--enable-source-maps', 'app.js'] }],
    [
      'python',
      { script: 'a.py', interpreter: 'python3' },
      { env: { vars: { PYTHONUNBUFFERED: '1', NODE_APP_INSTANCE: '0' } } },
    ],
    ['a stop', {}, { stop_signal: 'SIGINT', stop_timeout: '1600ms' }],
    ['kill_timeout', { kill_timeout: '3000' }, { stop_timeout: '3s' }],
    ['restarts', {}, { restart_policy: 'always', backoff: '0s', max_restarts: 15 }],
    ['max_restarts', { max_restarts: 3 }, { max_restarts: 2 }],
    ['no restart at all', { max_restarts: 0 }, { max_restarts: 0 }],
    [
      'a delay after which PM2 never gives up',
      { restart_delay: 2000 },
      { backoff: '2s', max_restarts: 1_000_000 },
    ],
    ['a short delay', { restart_delay: 100 }, { backoff: '100ms', max_restarts: 15 }],
    [
      'a growing delay',
      { exp_backoff_restart_delay: 100 },
      { backoff: { initial: '100ms', max: '15s', factor: 1.5 } },
    ],
    ['a longer min_uptime', { exp_backoff_restart_delay: 100, min_uptime: '1m' }, { max_restarts: 15 }],
    ['no restart', { autorestart: false }, { restart_policy: 'never' }],
    ['exit codes', { stop_exit_codes: [0, 3] }, { restart_policy: 'on-failure', success_exit_codes: [3] }],
    ['memory', { max_memory_restart: '300M' }, { max_memory: '300M' }],
    ['memory in bytes', { max_memory_restart: 1e8 }, { max_memory: 100_000_000 }],
    [
      'a watch',
      { watch: true, watch_delay: 10 },
      { watch: { paths: ['.'], ignore: ['.*'], debounce: '50ms' } },
    ],
    [
      'a watch of paths',
      { watch: ['src'], ignore_watch: ['dist'] },
      { watch: { paths: ['src'], ignore: ['dist'] } },
    ],
    ['users', { uid: 'www', gid: 33 }, { user: 'www', group: '33' }],
    ['no output', { out_file: '/dev/null', error_file: 'NULL' }, { logs: { sink: 'none' } }],
    ['no logs', { disable_logs: true }, { logs: { sink: 'none' } }],
    ['an app that is not started', { autostart: false }, { profiles: ['manual'] }],
    ['the port', { port: 80 }, { env: { vars: { PORT: '80', NODE_APP_INSTANCE: '0' } } }],
    [
      'variables',
      { env: { A: 1, B: true, C: { d: [1] }, D: null } },
      { env: { vars: { A: '1', B: 'true', C: '{"d":[1]}', NODE_APP_INSTANCE: '0' } } },
    ],
    [
      'a filter',
      { filter_env: ['SECRET'] },
      { env: { strip: ['SECRET'], vars: { NODE_APP_INSTANCE: '0' } } },
    ],
  ])('%s is translated', async (_, app, expected) => {
    expect((await one(app)).service).toMatchObject(expected);
  });

  it.each<[string, Record<string, Plain>, Service, readonly string[]]>([
    ['a cluster', { instances: 2 }, { replicas: 2 }, ['changed instances', 'changed instance_var']],
    ['forks', { instances: 2, exec_mode: 'fork' }, { replicas: 2 }, ['changed instance_var']],
    ['one instance', { instances: 1 }, {}, []],
    [
      'a counted variable',
      { instances: 3, exec_mode: 'fork', increment_var: 'PORT', env: { PORT: 3000 } },
      { env: { vars: { PORT: '300{instance}', NODE_APP_INSTANCE: '{instance}' } } },
      ['changed increment_var', 'changed instance_var'],
    ],
    [
      'a counted variable without a last digit of 0',
      { instances: 3, exec_mode: 'fork', increment_var: 'PORT', env: { PORT: 3001 } },
      { env: { vars: { PORT: '3001' } } },
      ['lost increment_var', 'changed instance_var'],
    ],
  ])('%s becomes replicas', async (_, ...[app, expected, said]) => {
    const found = await one(app);
    expect(found.service).toMatchObject(expected);
    expect(found.said).toEqual(said);
  });

  it.each([
    ['treekill', false],
    ['shutdown_with_message', true],
    ['listen_timeout', 3000],
    ['out_file', 'a.log'],
    ['log_file', 'a.log'],
    ['pid_file', 'a.pid'],
    ['watch_options', {}],
    ['io', {}],
    ['trace', true],
    ['post_update', ['npm i']],
    ['env_test', { A: '1' }],
    ['not_of_pm2', 1],
    ['cron_restart', 'tomorrow'],
  ])('%s is lost', async (key, value) => {
    expect((await one({ [key]: value })).said).toEqual([`lost ${key}`]);
  });

  it.each([
    ['treekill', true],
    ['shutdown_with_message', false],
    ['vizion', false],
    ['time', true],
    ['cron_restart', 0],
    ['merge_logs', false],
    ['kill_retry_time', 100],
  ])('%s of this value is not needed', async (key, value) => {
    expect((await one({ [key]: value })).said).toEqual([]);
  });
});
