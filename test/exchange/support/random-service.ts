// Generated services for exports: any mix of keys that load together.
import fc from 'fast-check';

const duration = fc.constantFrom('1500ms', '3s', '2m', '1h');
const text = fc.constantFrom('node web.js', 'echo \'a b\' "$HOME" $(date) # x', 'ü: {x}, [y]', '- a: |');

/** Values that YAML 1.1 reads as something else than text, unless they are in quotes. */
const value = fc.oneof(
  text,
  fc.constantFrom(
    'on',
    'No',
    'y',
    '012',
    '1_000',
    '12:30:45',
    '0x1F',
    '1e3',
    '~',
    'null',
    '=',
    '<<',
    '.5',
    '2001-01-01',
    '',
  ),
);

const check = fc.record(
  {
    interval: duration,
    attempt_timeout: duration,
    total_timeout: duration,
    retries: fc.integer({ min: 1, max: 9 }),
    start_interval: duration,
    after_ready: fc.constantFrom('off', '10s'),
    on_failure: fc.constantFrom('restart', 'stop', 'ignore'),
  },
  { requiredKeys: [] },
);

const probe = fc.oneof(
  fc.constantFrom(
    { url: 'http://127.0.0.1:8080/ok?a=b' },
    { url: 'https://user:pass@db.example/x' },
    { tcp: 5432 },
    { tcp: '[::1]:70' },
    { log: 'ready' },
  ),
  text.map((command) => ({ command })),
);

const healthCheck = fc.tuple(probe, check).map(([one, other]) => ({ ...other, ...one }));

const launch = fc.oneof(
  text.map((command) => ({ command })),
  fc.array(text, { minLength: 1, maxLength: 3 }).map((exec) => ({ exec })),
);

const common = {
  env: fc.record(
    {
      vars: fc.dictionary(fc.constantFrom('A', 'B_2', 'PORT'), value),
      secrets: fc.constant({ KEY: { file: '/etc/hostname' } }),
      clean: fc.boolean(),
    },
    { requiredKeys: [] },
  ),
  working_dir: fc.constantFrom('/', 'app', '/srv/a b'),
  stop_signal: fc.constantFrom('SIGTERM', 'INT', 'QUIT'),
  stop_timeout: duration,
  stop_command: text,
  success_exit_codes: fc.constantFrom([3], [3, 'SIGINT']),
  umask: fc.constant('0027'),
  max_memory: fc.constantFrom('512M', 1_000_001),
  user: fc.constantFrom('1000', 'www-data'),
  group: fc.constantFrom('1000', 'www-data'),
  supplementary_groups: fc.constantFrom(['4'], ['adm', '5']),
  capabilities: fc.constantFrom([], ['CAP_NET_BIND_SERVICE'], ['CAP_SYS_ADMIN', 'CAP_CHOWN']),
  limits: fc.record(
    {
      nofile: fc.constantFrom(1024, 'unlimited'),
      cgroup: fc.record(
        {
          memory_max: fc.constantFrom('64M', 12_345, 'max'),
          cpu_max: fc.constantFrom('max', '50000 100000', 'max 100000'),
          pids_max: fc.constantFrom(10, 'max'),
        },
        { requiredKeys: [] },
      ),
    },
    { requiredKeys: [] },
  ),
  isolation: fc.record(
    {
      user: fc.boolean(),
      network: fc.boolean(),
      pid: fc.boolean(),
      seccomp: fc.constantFrom('baseline', { profile: 'none' }, { deny: ['ptrace'] }),
      landlock: fc.constantFrom({ ro_paths: ['/usr'] }, { ro_paths: ['/usr'], rw_paths: ['/var'] }),
    },
    { requiredKeys: [] },
  ),
  logs: fc.constantFrom({ sink: 'none' }, { max_bytes: '5M', max_files: 3 }),
  hooks: fc.constant({ onstart: { command: 'echo' } }),
};

const sockets = fc.constantFrom(
  [{ name: 'http', listen: '127.0.0.1:8080' }],
  [
    { name: 'The name of a port', listen: 80 },
    { name: '99', listen: '[::1]:99' },
    { name: 'u', listen: '/run/u.sock' },
  ],
);

const deployment = fc.record(
  {
    strategy: fc.constantFrom('rolling', 'immediate'),
    grace_period: fc.constantFrom('0s', '5s'),
    pre_start: text,
    health_check: healthCheck,
  },
  { requiredKeys: [] },
);

const resident = fc.record(
  {
    ...common,
    sockets,
    deployment,
    restart_policy: fc.constantFrom('always', 'on-failure'),
    max_restarts: fc.nat(9),
    backoff: fc.constantFrom('1s', { initial: '1s', max: '1m', factor: 2 }),
    skip: fc.constantFrom(true, 'test -e x'),
    replicas: fc.integer({ min: 1, max: 3 }),
  },
  { requiredKeys: [] },
);

const once = fc.record(
  { ...common, restart_policy: fc.constant('never') },
  { requiredKeys: ['restart_policy'] },
);

const cron = fc.record(
  {
    expression: fc.constantFrom('0 3 * * *', '*/5 1-3 1,15 JAN MON-FRI', '10 0 3 * * 5-7', '0 3 L * *'),
    timezone: fc.constantFrom('utc', 'Europe/Berlin'),
    timeout: duration,
    overlap: fc.constantFrom('skip', 'queue'),
    catch_up: fc.constantFrom('none', 'once'),
    jitter: duration,
  },
  { requiredKeys: ['expression'] },
);

const scheduled = fc.record({ ...common, cron }, { requiredKeys: ['cron'] });

/** Services by valid names, as a manifest has them; some do not load. */
export const randomService: fc.Arbitrary<Readonly<Record<string, unknown>>> = fc
  .tuple(launch, fc.oneof({ arbitrary: resident, weight: 3 }, once, scheduled))
  .map(([start, others]) => ({ ...others, ...start }));

/** A manifest as JSON, with up to three services. */
export const randomManifest: fc.Arbitrary<string> = fc
  .dictionary(fc.constantFrom('web', 'My_Web.app', '1st'), randomService, { minKeys: 1 })
  .map((services) => JSON.stringify({ version: '2', projects: { shop: { services } } }));
