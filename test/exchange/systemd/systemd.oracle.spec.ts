// What systemd itself says about units that are exported, about calendar events, and about its own directives.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { calendarTexts, cronText, readCalendar } from '../../../src/exchange/systemd/calendar-events.ts';
import { ALL_ROWS } from '../../../src/exchange/systemd/systemd-table.ts';
import { cronTimes } from '../../../src/streams/cron/expression-fields.ts';
import { nextDue } from '../../../src/streams/cron/next-run-time.ts';
import { instant } from '../../../src/streams/domain/time.ts';
import { describeWith } from '../support/oracle.ts';
import { directoryWith, exportText, importUnits, loadText } from './units.ts';

const ANALYZE = '/usr/bin/systemd-analyze';

interface Answer {
  readonly status: number | null;
  readonly output: string;
}

const analyze = (...words: readonly string[]): Answer => {
  const { status, stdout, stderr } = spawnSync(ANALYZE, [...words], {
    encoding: 'utf8',
    env: { ...process.env, TZ: 'UTC', LC_ALL: 'C' },
  });
  return { status, output: stdout + stderr };
};

/** A manifest with everything that has a counterpart. */
const MANIFEST = `
version: 2
projects:
  shop:
    services:
      db:
        exec: [/bin/sleep, "1000"]
        user: daemon
        group: daemon
        supplementary_groups: [audio]
        umask: "0027"
        stop_command: kill -INT $SUP_PID
        reload: { signal: HUP }
        limits: { nofile: 1000, core: 0, nice: 5, oom_score_adj: 100, cpu_affinity: [0], cgroup: { memory_max: 512M, memory_high: 400M, cpu_max: 50000 100000, cpu_weight: 200, pids_max: 64 } }
        deployment: { pre_start: "echo $HOME 100% 'a b'" }
      migrate: { command: "echo 'a b' $$HOME; true", restart_policy: never }
      web:
        exec: [/bin/echo, "print('a;b \\"c\\" $x %d')", ";", "", "two\\nlines"]
        replicas: 2
        depends_on: [db, { service: migrate, condition: completed }, { service: cache, required: false }]
        env: { vars: { N: "{instance}", PERCENT: "50% of $X", QUOTES: "a \\"b\\" 'c' \\\\" }, secrets: { PW: { file: /etc/hostname } } }
        sockets: [{ name: http, listen: "127.0.0.1:8080" }, { name: local, listen: /run/shop.sock }]
        success_exit_codes: [3, SIGTERM]
        hooks: { onstart: { command: echo up }, on_stop: { error: { command: echo down } } }
        skip: test -e /etc/no-web
        max_restarts: 5
        backoff: 2s
      cache:
        exec: [/bin/sleep, "1000"]
        restart_policy: always
        logs: { sink: none }
        deployment: { health_check: { notify: true, total_timeout: 2m, liveness: { watchdog: 30s } } }
      night:
        exec: [/bin/true]
        cron: { expression: "30 3 1 * MON-FRI", timezone: Europe/Berlin, catch_up: once, jitter: 10m, timeout: 1h }
      safe: &safe
        exec: [/bin/sleep, "1000"]
        user: daemon
        group: daemon
        capabilities: [NET_BIND_SERVICE]
        isolation:
          network: true
          mount: true
          user: true
          no_new_privs: true
          private_tmp: true
          private_devices: true
          seccomp: { deny: ["@swap"] }
          address_families: [AF_UNIX]
          landlock: { ro_paths: [/usr, /bin, /lib, /lib64], rw_paths: [/tmp], exec_paths: [/bin, /usr] }
          ports: { bind: [80] }
      protected: { exec: [/bin/sleep, "1000"], isolation: { protect: strict, landlock: { ro_paths: [/], rw_paths: [/tmp, /dev] } } }
      logged: { <<: *safe, isolation: { seccomp: { profile: none, deny: [ptrace], action: log }, landlock: { ro_paths: [/], rw_paths: [/tmp] } } }
      open: { exec: [/bin/sleep, "1000"] }
`;

describeWith('systemd-analyze')('units that are exported', () => {
  let directory = '';
  beforeAll(() => {
    const source = directoryWith({});
    const { files } = exportText(source, MANIFEST);
    rmSync(source, { recursive: true });
    directory = directoryWith(Object.fromEntries(files.map(({ name, text }) => [name, text])));
    return () => rmSync(directory, { recursive: true });
  });

  it('systemd-analyze verify accepts every exported unit without a word', () => {
    const units = readdirSync(directory).filter((name) => !name.includes('@'));
    expect(units.length).toBeGreaterThan(9);
    // An instance stands for its template.
    const instance = join(directory, 'shop-web@1.service');
    const { status, output } = analyze(
      'verify',
      '--man=no',
      ...units.map((name) => join(directory, name)),
      instance,
    );
    expect({ status, output }).toEqual({ status: 0, output: '' });
  });

  it('a mistake in a unit is found by systemd-analyze verify', () => {
    const wrong = directoryWith({ 'a.service': '[Service]\nExecStart=/bin/true\nRestrat=always\n' });
    expect(analyze('verify', '--man=no', join(wrong, 'a.service')).output).toContain("Unknown key 'Restrat'");
    rmSync(wrong, { recursive: true });
  });

  it('systemd-analyze security rates a confined service better than one without isolation', () => {
    const exposure = (name: string): number => {
      const { output } = analyze('security', '--offline=true', '--no-pager', join(directory, name));
      return Number(/Overall exposure level for .*: ([\d.]+)/.exec(output)?.[1]);
    };
    const [confined, open] = [exposure('shop-safe.service'), exposure('shop-open.service')];
    expect(open).toBeGreaterThan(9);
    expect(confined).toBeLessThan(4.5);
  });
});

const EVENTS = `minutely hourly daily weekly monthly yearly quarterly semiannually
*:0/15|*-*-* 03:30:00|*-*-* 3:30|03:30|Mon..Fri 09:00|Sat,Sun 10:20|Mon *-*-* 00:00:00|*-*-01 04:00|*-*~01 12:00
*-02-29 00:00|*-01,07-01|*-*-* *:*:00/10|*-*-* 0/6:05|*-*-* 08..18:00|*-*-* 08..18/2:00:30|*-*-1,15 02:00|Fri..Sun 23:59:59
*-*-* 00:00:00 UTC|*-1..6-10 06:00|Wed 12:30|*:*|*-*-* 5,17:00|*-*-02..20/3 01:00|Sun|*:5/20:7|*-12-31 23:59|*-*-10..12|*-*-* 23:0/7`
  .split(/\n/)
  .flatMap((line, at) => line.split(at === 0 ? ' ' : '|'));

const EXPRESSIONS =
  `*/15 * * * *|30 3 * * *|0 9 * * 1-5|0 10 * * 6,0|0 4 1 * *|0 12 L * *|0 0 29 2 *|*/10 * * * * *|5 */6 * * *|0 8-18/2 * * *
0 0 1,15 * 1|0 0 * * 7|15,45 * * * *|0 0 1 1 *|1-59/2 * * * *|0 22 * * 5-7|59 59 23 * * *|0 0 13 * 5|0 0 1,L * *|0 5 * */3 *|3-50/7 4 * * *
0 0 */2 * *|* * * * *|0 0 31 * *|7 7 7 7 *|*/30 0-12 * * MON|0 6 1-7 * *|0 0 * JAN-MAR *|5/20 * * * *|0 0 ? * SUN|30 30 * * * *|0 0 1-31 * 1`.split(
    /[\n|]/,
  );

const FROM = Date.UTC(2026, 10, 28, 19, 5, 0);

/** The next times of several calendar events together, as systemd computes them in UTC. */
const elapses = (events: readonly string[], count: number): readonly number[] => {
  const times = events.flatMap((event) => {
    const output = execFileSync(
      ANALYZE,
      ['calendar', `--iterations=${count}`, `--base-time=@${FROM / 1000}`, event],
      { encoding: 'utf8', env: { ...process.env, TZ: 'UTC', LC_ALL: 'C' } },
    );
    return [
      ...output.matchAll(
        /(?:Next elapse|Iter\. #\d+|Iteration #\d+): \w+ (\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d) UTC/g,
      ),
    ].map(([, day, time]) => Date.parse(`${day}T${time}Z`));
  });
  return [...new Set(times)].sort((one, other) => one - other).slice(0, count);
};

const dues = (expression: string, count: number): readonly number[] => {
  const times: number[] = [];
  let at = FROM;
  while (times.length < count) {
    const due = nextDue({ expression, timezone: 'utc' }, instant(at));
    if (due === undefined) break;
    times.push(due);
    at = due;
  }
  return times;
};

const shown = (times: readonly number[]): readonly string[] =>
  times.map((time) => new Date(time).toISOString());

describeWith('systemd-analyze')('calendar events', () => {
  it('there are at least 30 examples in each direction', () => {
    expect([EVENTS.length >= 30, EXPRESSIONS.length >= 30]).toEqual([true, true]);
  });

  it.each(EVENTS)('the calendar event %s elapses at the next five times of its cron expression', (event) => {
    const read = readCalendar(event);
    if ('refusal' in read) throw new Error(read.refusal);
    const expected = elapses([event], 5);
    expect(expected).toHaveLength(5);
    expect(shown(dues(cronText(read.times), 5))).toEqual(shown(expected));
  });

  it.each(EXPRESSIONS)(
    'the cron expression %s is due at the next five times of its calendar events',
    (expression) => {
      const times = cronTimes(expression);
      if (times === undefined) throw new Error('it has no times');
      const expected = dues(expression, 5);
      expect(expected).toHaveLength(5);
      expect(shown(elapses(calendarTexts(times, 'utc'), 5))).toEqual(shown(expected));
    },
  );
});

const MANAGER = '/lib/systemd/systemd';

/** Directives that stand for a family in the table. */
const family = (name: string): string => name.replace(/^(Condition|Assert)[A-Z].*/, '$1');

describeWith('systemd-analyze')('directives', () => {
  it.runIf(existsSync(MANAGER))('every directive of services, timers and sockets has a row', () => {
    const dump = spawnSync(MANAGER, ['--dump-configuration-items'], { encoding: 'utf8' }).stdout;
    const known = ALL_ROWS.flatMap((row) => [
      row.theirs,
      ...('also' in row ? (row.also as readonly string[]) : []),
    ]).map((name) => name.replace(/^\[\w+\] /, ''));
    const missing: string[] = [];
    let section = '';
    for (const line of dump.split('\n')) {
      section = /^\[(\w+)\]/.exec(line)?.[1] ?? section;
      const [, name] = /^(\w+)=/.exec(line) ?? [];
      if (
        name !== undefined &&
        ['Unit', 'Service', 'Timer', 'Socket', 'Install'].includes(section) &&
        !known.includes(family(name))
      )
        missing.push(`${section}.${name}`);
    }
    expect(dump.length).toBeGreaterThan(10_000);
    expect(missing).toEqual([]);
  });
});

const INSTALLED = '/lib/systemd/system';

describeWith('systemd-analyze')('units of installed packages', () => {
  it('all are imported together, and the manifest loads', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'sup-units-'));
    const imported = await importUnits(directory, [INSTALLED]);
    const { services } = loadText(directory, imported.manifest);
    const units = readdirSync(INSTALLED).filter((name) => name.endsWith('.service'));
    expect(units.length).toBeGreaterThan(60);
    expect(services.length).toBeGreaterThan(units.length / 2);
    expect(imported.losses.filter(({ message }) => message.includes('does not know this key'))).toEqual([]);
    rmSync(directory, { recursive: true });
  });

  it('each is imported by itself, and each manifest loads', { timeout: 120_000 }, async () => {
    const directory = mkdtempSync(join(tmpdir(), 'sup-units-'));
    const failures: string[] = [];
    const units = readdirSync(INSTALLED).filter((name) => name.endsWith('.service'));
    for (const name of units)
      try {
        const imported = await importUnits(directory, [join(INSTALLED, name)]);
        loadText(directory, imported.manifest);
      } catch (thrown) {
        // A masked unit has nothing to run.
        if (!String(thrown).includes('ERR0804')) failures.push(`${basename(name)}: ${String(thrown)}`);
      }
    rmSync(directory, { recursive: true });
    expect(failures).toEqual([]);
  });
});
