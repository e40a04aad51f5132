// What is exported to systemd and imported again is the same, for the keys that both sides have.
import { rmSync } from 'node:fs';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { ServiceSpec } from '../../../src/streams/domain/declared/spec.ts';
import { directoryWith, exportText, importUnits, loadText } from './units.ts';

const RUNS = Number(process.env['SUP_FUZZ_RUNS'] ?? 200);

const name = fc.stringMatching(/^[a-z][a-z0-9_.]{0,8}[a-z]$/);
const argument = fc.oneof(
  fc.constantFrom(
    '',
    ';',
    '%',
    '%%i',
    '$',
    '$$',
    '$HOME',
    '${HOME}',
    "it's",
    '"q"',
    '\\',
    '\\n',
    'a b',
    '-x',
    '\t',
    'ü€',
  ),
  fc.string({ maxLength: 12 }).filter((text) => !['\u0000', '{', '}'].some((each) => text.includes(each))),
);
const line = fc.oneof(
  fc.constantFrom('echo a', 'true && echo "$HOME"', "printf '%s\\n' a; false", 'a | b > c', 'echo $$$$'),
  argument.filter((text) => /^[^${}\\]+$/.test(text) && text.trim() !== ''),
);
const seconds = fc.integer({ min: 1, max: 7200 }).map((count) => `${count}s`);
const size = fc.integer({ min: 1, max: 4096 }).map((count) => `${count}K`);
const maybe = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.option(value, { nil: undefined });

const cron = fc.record(
  {
    expression: fc.constantFrom(
      '*/15 * * * *',
      '30 3 * * 1-5',
      '0 0 L * *',
      '0 4 1,15 * *',
      '5 * * * * *',
      '0 0 1 */3 *',
      '* * * * *',
    ),
    timezone: fc.constantFrom('local', 'utc', 'Europe/Berlin'),
    catch_up: fc.constantFrom('once', 'none'),
    jitter: seconds,
    timeout: seconds,
  },
  { requiredKeys: ['expression'] },
);

const limits = fc.record(
  {
    nofile: fc.integer({ min: 10, max: 9999 }),
    core: fc.oneof(fc.constant('unlimited'), size),
    nice: fc.integer({ min: -20, max: 19 }),
    oom_score_adj: fc.integer({ min: -1000, max: 1000 }),
    cpu_affinity: fc.uniqueArray(fc.integer({ min: 0, max: 63 }), { minLength: 1, maxLength: 5 }),
    // systemd gives each unit a cgroup, also one without limits.
    cgroup: fc
      .record(
        {
          memory_max: fc.oneof(fc.constant('max'), size),
          memory_high: size,
          cpu_max: fc.integer({ min: 1, max: 400 }).map((percent) => `${percent * 1000} 100000`),
          cpu_weight: fc.integer({ min: 1, max: 10_000 }),
          pids_max: fc.oneof(fc.constant('max'), fc.integer({ min: 1, max: 500 })),
        },
        { requiredKeys: [] },
      )
      .filter((keys) => Object.keys(keys).length > 0),
  },
  { requiredKeys: [] },
);

const isolation = fc.record(
  {
    network: fc.boolean(),
    mount: fc.boolean(),
    no_new_privs: fc.boolean(),
    address_families: fc.subarray(['AF_UNIX', 'AF_INET', 'AF_INET6', 'AF_NETLINK']),
    protect: fc.oneof(
      fc.constantFrom('strict', 'full', 'off'),
      fc.record(
        {
          system: fc.constantFrom('read_only', 'os_read_only'),
          home: fc.constantFrom('hidden', 'read_only'),
          tmp: fc.constant('private'),
          devices: fc.constant('minimal'),
          proc: fc.constant('own'),
          kernel: fc.constant('read_only'),
        },
        { requiredKeys: [] },
      ),
    ),
    ports: fc.record({ bind: fc.uniqueArray(fc.integer({ min: 1, max: 65_535 }), { maxLength: 3 }) }),
    seccomp: fc.record({
      profile: fc.constantFrom('baseline', 'none'),
      deny: fc.subarray(['@swap', '@clock', 'chroot', 'chmod'], { minLength: 1 }),
      action: fc.constantFrom('errno', 'kill'),
    }),
    landlock: fc.record(
      {
        ro_paths: fc.subarray(['/', '/usr', '/etc', '/a b'], { minLength: 1 }),
        rw_paths: fc.subarray(['/tmp', '/var/lib/x', '/dev']),
        exec_paths: fc.subarray(['/usr/bin', '/usr/lib'], { minLength: 1 }),
      },
      { requiredKeys: ['ro_paths', 'rw_paths'] },
    ),
  },
  { requiredKeys: [] },
);

/** Keys of a service that runs all the time. */
const lasting = fc.record(
  {
    restart_policy: fc.constantFrom('always', 'on-failure', 'never'),
    backoff: seconds,
    max_restarts: fc.integer({ min: 1, max: 50 }),
    success_exit_codes: fc.uniqueArray(
      fc.constantFrom<number | string>(3, 143, 'SIGTERM', 'SIGINT', 'SIGUSR1'),
      { minLength: 1 },
    ),
    sockets: fc.constantFrom(
      [{ name: 'http', listen: '127.0.0.1:8080', backlog: 100 }],
      [
        { name: 'a', listen: '/run/a.sock' },
        { name: 'b', listen: '[::1]:81' },
      ],
    ),
    deployment: fc.record(
      {
        pre_start: line,
        health_check: fc.record(
          { notify: fc.constant(true), total_timeout: seconds, liveness: fc.record({ watchdog: seconds }) },
          { requiredKeys: ['notify'] },
        ),
      },
      { requiredKeys: [] },
    ),
    stop_command: line,
    reload: fc.oneof(line, fc.constantFrom({ signal: 'HUP' }, { signal: 'SIGUSR2' })),
    skip: fc.oneof(fc.constant('test -e /x'), line),
  },
  // What a service has without the key, a pause that grows, has no counterpart.
  { requiredKeys: ['backoff'] },
);

const common = fc.record(
  {
    working_dir: fc.constantFrom('/srv', '/srv/a b', '/srv/100%'),
    stop_signal: fc.constantFrom('SIGTERM', 'SIGINT', 'SIGQUIT'),
    stop_timeout: seconds,
    umask: fc.constantFrom('0022', '0027', '0077'),
    group: fc.constantFrom('daemon', 'mail'),
    supplementary_groups: fc.subarray(['audio', 'video'], { minLength: 1 }),
    credentials: fc.constantFrom({ key: { file: '/a b' }, 'c.pem': { file: '/100%:y' } }),
    state_dir: fc.constantFrom('/var/lib/shop', '/var/lib/shop/a b', '/var/lib/50%'),
    limits,
    isolation,
  },
  { requiredKeys: ['working_dir', 'umask'] },
);

const account = fc.oneof(
  fc.record(
    {
      user: fc.constantFrom('mail', '1000'),
      group: fc.constant('mail'),
      run_as: fc.constantFrom('service', 'supervisor'),
      capabilities: fc.constantFrom([], ['NET_RAW']),
    },
    { requiredKeys: ['user', 'group', 'run_as'] },
  ),
  fc.record({ capabilities: fc.subarray(['NET_RAW', 'CHOWN']) }, { requiredKeys: [] }),
);

const vars = fc.dictionary(
  fc.stringMatching(/^[A-Z]{1,6}$/).filter((key) => !/^(?:HOME|PATH|USER|SHELL)$/.test(key)),
  argument.map((text) => text.replaceAll('$', '$$$$')),
  { maxKeys: 3 },
);

const launch = fc.oneof(
  fc
    .tuple(
      fc.constantFrom('/usr/bin/env', '/bin/a%b', 'node', '/opt/x y/run'),
      fc.array(argument, { maxLength: 4 }),
    )
    .map(([program, others]) => ({ exec: [program, ...others] })),
  line.map((command) => ({ command })),
);

type Keys = Readonly<Record<string, unknown>>;

const service: fc.Arbitrary<Keys> = fc
  .tuple(launch, common, account, fc.oneof(lasting, lasting, fc.record({ cron })), vars)
  .map(([start, ...parts]) => ({
    ...start,
    ...(Object.assign({}, ...parts.slice(0, 3)) as Keys),
    env: { clean: true, vars: parts[3] },
  }));

interface Need {
  readonly on: number;
  readonly required: boolean;
}

const need: fc.Arbitrary<Need> = fc.record({ on: fc.nat(3), required: fc.boolean() });

const isScheduled = (keys: Keys | undefined): boolean => keys?.['cron'] !== undefined;

/** Returns the dependency of a service on one before it, if both run all the time. */
const dependencyOf = (at: number, { on, required }: Need, all: readonly [string, Keys][]): Keys => {
  const [[name, target] = ['', {}], [, own] = ['', {}]] = [all[on], all[at]];
  if (on >= at || isScheduled(target) || isScheduled(own)) return {};
  return { depends_on: [required ? name : { service: name, required: false }] };
};

/** Each service may depend on one before it, and the first one may have instances. */
const manifest = fc
  .tuple(
    fc.uniqueArray(fc.tuple(name, service, need), { minLength: 1, maxLength: 4, selector: ([own]) => own }),
    maybe(fc.integer({ min: 1, max: 3 })),
  )
  .map(([parts, replicas]) => {
    const all = parts.map(([own, keys]): [string, Keys] => [own, keys]);
    const services = parts.map(([own, keys, needed], at): [string, Keys] => [
      own,
      {
        ...keys,
        ...dependencyOf(at, needed, all),
        ...(at === 0 && replicas !== undefined && !isScheduled(keys) && { replicas }),
      },
    ]);
    return { version: 2, projects: { shop: { services: Object.fromEntries(services) } } };
  });

/** True if commands beside the program run, which have a user of their own. */
const hasCommands = ({ deployment, reload, stopCommand, skip }: ServiceSpec): boolean =>
  deployment.preStart !== undefined ||
  reload?.tag === 'command' ||
  stopCommand !== undefined ||
  typeof skip === 'string';

const OF_FILE = ['digest', 'manifest', 'directory', 'id', 'alerts'];

/** The parts of a declaration that units can express. */
const comparable = (spec: ServiceSpec): unknown => {
  const { backoff, maxRestarts, successExitCodes = [], ...others } = spec;
  const { restartPolicy, kind, privilege, runAs = 'supervisor' } = spec;
  const isRestarted = restartPolicy !== 'never' && kind === 'service';
  const restarts = { backoff, maxRestarts, success: successExitCodes.map(String).sort() };
  return {
    ...Object.fromEntries(Object.entries(others).filter(([key]) => !OF_FILE.includes(key))),
    restartPolicy: kind === 'cron' ? null : restartPolicy,
    restarts: isRestarted ? restarts : null,
    runAs: hasCommands(spec) && privilege.user !== undefined ? runAs : null,
  };
};

it(
  'a manifest that is exported to systemd and imported again is the same',
  { timeout: 300_000 },
  async () => {
    const directory = directoryWith({});
    await fc.assert(
      fc.asyncProperty(manifest, async (generated) => {
        const before = loadText(directory, JSON.stringify(generated));
        const units = directoryWith(
          Object.fromEntries(
            exportText(directory, JSON.stringify(generated)).files.map((file) => [file.name, file.text]),
          ),
        );
        try {
          const imported = await importUnits(units);
          expect(imported.losses.filter(({ effect }) => effect === 'lost')).toEqual([]);
          const after = loadText(directory, imported.manifest);
          const byName = (specs: readonly ServiceSpec[]): unknown =>
            Object.fromEntries(specs.map((spec) => [`${spec.project}/${spec.name}`, comparable(spec)]));
          expect(byName(after.services)).toEqual(byName(before.services));
        } finally {
          rmSync(units, { recursive: true });
        }
      }),
      { numRuns: RUNS },
    );
    rmSync(directory, { recursive: true });
  },
);
