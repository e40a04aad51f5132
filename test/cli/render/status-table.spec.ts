import { describe, expect, it } from 'vitest';
import { paintOf } from '../../../src/streams/views/words/paint.ts';
import { STATE_INK } from '../../../src/cli/render/service-columns.ts';
import { serviceTable } from '../../../src/cli/render/service-rows.ts';
import { failingOnly, statusLines, type StatusLook } from '../../../src/cli/render/status-table.ts';
import { NOW, projectOf, serviceOf, statusOf } from '../support/documents.ts';

const pipe: StatusLook = {
  ...{ paint: paintOf(false), columns: undefined, now: NOW },
  ...{ dataDir: '/home/ada/.local/share/sup', besidePrivileged: false, onlyFailing: false },
};
const long = 'exited with 1; attempt 3 of 8 in 1.5 s; the last lines are in the log of the service';

describe('the status table', () => {
  it('the status table lists services below their project, each with its reason', () => {
    const status = statusOf([
      projectOf([
        serviceOf({ cpu_percent: 12, rss_bytes: 50_855_936 }),
        serviceOf({
          name: 'recommender',
          state: 'backoff',
          health: 'unknown',
          pid: null,
          restarts: 3,
          restarts_total: 3,
          last_exit: { code: 1, signal: null, success: false, at: '2026-11-21T11:59:57.000Z' },
          reason: 'exited with 1; attempt 3 of 8 in 1.5 s',
        }),
      ]),
    ]);
    expect(statusLines(status, pipe)).toEqual([
      'supervisor pid 4, version 0.1.0, up 1 h',
      '1 running, 1 failing',
      '',
      'shop  /srv/sup.yaml',
      'SERVICE      STATE    HEALTH   PID     CPU       MEM  UPTIME      RESTARTS  LAST EXIT        REASON',
      'web          running  healthy  812  12.0 %  48.5 MiB  2 min 30 s         0  -',
      'recommender  backoff  -          -       -         -  -                  3  code 1, 3 s ago  exited with 1; attempt 3 of 8 in 1.5 s',
    ]);
  });

  it('the status table has a project on one line, whatever its name contains', () => {
    const project = { ...projectOf([serviceOf()]), name: 'Shop\nweb  running\u001b[2J' };
    expect(statusLines(statusOf([project]), pipe)[3]).toBe(
      'shop (Shop\\nweb  running\\x1b[2J)  /srv/sup.yaml',
    );
  });

  it('the status table cuts the reason to the width of a terminal, and never in a pipe', () => {
    const status = statusOf([projectOf([serviceOf({ reason: long })])]);
    const narrow = statusLines(status, { ...pipe, columns: 80 });
    expect(narrow.every((line) => line.length <= 80)).toBe(true);
    expect(narrow.at(-1)).toMatch(/exited with 1.*…$/);
    expect(statusLines(status, pipe).at(-1)).toContain(long);
  });

  it.each([
    [60, 'SERVICE      STATE    HEALTH   UPTIME      REASON'],
    [80, 'SERVICE      STATE    HEALTH      CPU       MEM  UPTIME      REASON'],
    [90, 'SERVICE      STATE    HEALTH   PID     CPU       MEM  UPTIME      REASON'],
    [100, 'SERVICE      STATE    HEALTH   PID     CPU       MEM  UPTIME      RESTARTS  REASON'],
    [
      200,
      'SERVICE      STATE    HEALTH   PID     CPU       MEM  UPTIME      RESTARTS  LAST EXIT        REASON',
    ],
  ])(
    'the status table at %d columns leaves out the least important columns, never the reason',
    (columns, heading) => {
      const last_exit = { code: 1, signal: null, success: false, at: '2026-11-21T11:59:57.000Z' };
      const usage = { cpu_percent: 12, rss_bytes: 50_855_936, restarts_total: 3 };
      const services = [serviceOf({ name: 'recommender', reason: long, last_exit, ...usage })];
      const lines = statusLines(statusOf([projectOf(services)]), { ...pipe, columns });
      expect(lines[4]).toBe(heading);
      expect(lines.filter((line) => line.length > columns)).toEqual([]);
      expect(lines.at(-1)).toContain('exited with 1');
    },
  );

  it('the status table marks a service that runs an earlier declaration, and explains the mark', () => {
    const lines = statusLines(statusOf([projectOf([serviceOf({ awaits_restart: true })])]), pipe);
    expect(lines[5]).toContain('running*');
    expect(lines.at(-1)).toMatch(/^\* .*sup apply/);
  });

  it('the status table says that a supervisor that does not answer was not asked', () => {
    const lines = statusLines(statusOf([], { version: null, since: null }), pipe);
    expect(lines[0]).toBe('supervisor pid 4 does not answer: this is what was last recorded');
  });

  it('the status table has rows of one line on any terminal, whatever a reason contains', () => {
    const reason = 'exited with 1:\n  first\n\n\tsecond';
    const status = statusOf([projectOf([serviceOf({ name: 'recommender-of-all', reason })])]);
    expect(statusLines(status, pipe).at(-1)).toMatch(/exited with 1:\\n {2}first\\n\\n second$/);
    expect(
      serviceTable([{ service: serviceOf({ name: 'n'.repeat(60), reason }) }], { ...pipe, columns: 60 }).rows,
    ).toEqual([`${'n'.repeat(32)}…  running  exited with 1:\\…`]);
    for (const columns of [1, 10, 24, 40, 79]) {
      const rows = statusLines(status, { ...pipe, columns }).slice(3);
      expect(rows.filter((line) => line.length > columns || line.includes('\n'))).toEqual([]);
    }
  });

  it('the status table counts running, failing and other services in a line', () => {
    const services = [
      serviceOf(),
      serviceOf({ health: 'unhealthy' }),
      serviceOf({ state: 'failed' }),
      serviceOf({ state: 'waiting', health: 'unknown' }),
      serviceOf({ state: 'done', health: 'unknown' }),
    ];
    expect(statusLines(statusOf([projectOf(services)]), pipe)[1]).toBe(
      '1 running, 2 failing, 1 waiting, 1 done',
    );
  });

  it('the status table shows failing services only with --failed, and counts all', () => {
    const status = statusOf([
      projectOf([serviceOf(), serviceOf({ name: 'db', state: 'failed' })]),
      { ...projectOf([serviceOf()]), id: 'blog' },
    ]);
    const lines = statusLines(status, { ...pipe, onlyFailing: true });
    expect(lines[1]).toBe('2 running, 1 failing');
    expect(lines.filter((line) => /^(web|db) /.test(line))).toEqual([expect.stringMatching(/^db +failed/)]);
    expect(lines.join()).not.toContain('blog');
    expect(failingOnly(status).projects.map(({ services }) => services.map(({ name }) => name))).toEqual([
      ['db'],
    ]);
    const well = statusOf([projectOf([serviceOf()])]);
    expect(statusLines(well, { ...pipe, onlyFailing: true })).toEqual([expect.any(String), '1 running']);
  });

  it('the status table gives the reason the space of empty columns on a narrow terminal', () => {
    const reason = 'waits for db (backoff), which failed 3 times';
    const waiting = serviceOf({ state: 'waiting', health: 'unknown', pid: null, reason });
    const status = statusOf([projectOf([waiting])]);
    expect(statusLines(status, { ...pipe, columns: 80 }).slice(4)).toEqual([
      'SERVICE  STATE    REASON',
      `web      waiting  ${reason}`,
    ]);
    expect(statusLines(status, pipe)[4]).toContain('LAST EXIT');
  });

  it('the status table names a privileged supervisor if no other one runs', () => {
    const status = statusOf([], { running: false });
    const lines = statusLines(status, { ...pipe, besidePrivileged: true });
    expect(lines[1]).toBe('a privileged supervisor is running: sup status --sys');
    expect(statusLines(status, pipe).join()).not.toContain('privileged');
  });

  it('the status table has the code of an error beside its reason', () => {
    const error = { code: 'ERR0110', message: 'gave up', path: null, at: null, hint: null } as const;
    const status = statusOf([projectOf([serviceOf({ state: 'breaker-open', reason: 'gave up', error })])]);
    expect(statusLines(status, pipe).at(-1)).toContain('gave up (ERR0110)');
  });

  it('the status table colours every state on a terminal without changing the columns', () => {
    const states = Object.keys(STATE_INK).map((state) =>
      serviceOf({ state: state as keyof typeof STATE_INK }),
    );
    const status = statusOf([projectOf(states)]);
    const colored = statusLines(status, { ...pipe, paint: paintOf(true) });
    // eslint-disable-next-line no-control-regex -- the escape codes themselves are under test
    const bare = colored.map((line) => line.replace(/\u001b\[\d+m/g, ''));
    expect(colored).not.toEqual(bare);
    expect(bare).toEqual(statusLines(status, pipe));
  });

  it('the status table escapes control characters of a service', () => {
    const status = statusOf([projectOf([serviceOf({ reason: 'said \u001b[2J' })])]);
    expect(statusLines(status, pipe).at(-1)).toContain('said \\x1b[2J');
  });

  it('the status table says that it is old without a supervisor, and warns if there is cause', () => {
    const lines = statusLines(statusOf([], { running: false, warnings: ['supervisor.xml is broken'] }), pipe);
    expect(lines[0]).toBe(
      'no supervisor is running in /home/ada/.local/share/sup: this is what was last recorded',
    );
    expect(lines).toContain('warning: supervisor.xml is broken');
    expect(lines.at(-1)).toContain('sup start -c');
  });
});
