// What `sup import` makes of crontabs.
import { describe, expect, it } from 'vitest';
import { nextDue } from '../../../src/streams/cron/next-run-time.ts';
import { instant } from '../../../src/streams/domain/time.ts';
import { importCase, servicesIn } from '../support/import-case.ts';

const USER = `# jobs
MAILTO=me@example.com
PATH = "/opt/bin:/usr/bin:/bin"
0 3 * * 1-5 backup --to $HOME/b
@daily	mail -s x joe%Hello,%%it is 10\\%
CRON_TZ=Europe/Berlin
30 2 1 * * report # all
SHELL=/bin/bash
@reboot cd /srv && ./listen
`;

const MANIFEST = `# Imported from crontab (crontab) by sup import.
# lost: MAILTO (line 2): sup mails no output to me@example.com; sup logs shows it, and alerts tell of failed
# runs
# changed: overlap (line 4): cron also starts a job whose last run is still alive; sup skips that time
# (cron.overlap)
# changed: output (line 4): cron mails the output of a job to its owner; sup keeps it, and sup logs shows it

version: "2"
env:
  clean: true
  vars: { PATH: /opt/bin:/usr/bin:/bin, HOME: "\${HOME}", LOGNAME: "\${LOGNAME:-}" }
`;

const due = async (fields: string, after: string, zone = 'UTC') => {
  const text = `CRON_TZ=${zone}\n${fields} x\n`;
  const [service] = servicesIn(await importCase({ files: { crontab: text } }), { HOME: '/root' });
  if (service?.cron === undefined) throw new Error('there is no schedule');
  return new Date(Number(nextDue(service.cron, instant(Date.parse(after))))).toISOString();
};

describe('import of a crontab', () => {
  it('writes a service for each job, with the variables above it', async () => {
    const imported = await importCase({ files: { crontab: USER } });
    expect(imported.manifest.slice(0, MANIFEST.length)).toBe(MANIFEST);
    expect(servicesIn(imported, { HOME: '/home/joe' })).toMatchObject([
      {
        id: 'cron/backup',
        launch: { command: 'backup --to $HOME/b' },
        workingDir: '/home/joe',
        cron: { expression: '0 3 * * 1-5', timezone: 'local' },
        env: { clean: true, vars: { PATH: '/opt/bin:/usr/bin:/bin', SHELL: '/bin/sh' } },
      },
      { launch: { command: "printf '%s\\n' Hello, '' 'it is 10%' | (mail -s x joe\n)" } },
      { id: 'cron/report', cron: { expression: '30 2 1 * *', timezone: 'Europe/Berlin' } },
      {
        id: 'cron/listen',
        launch: { argv: ['/bin/bash', '-c', 'cd /srv && ./listen'] },
        restartPolicy: 'never',
        env: { vars: { SHELL: '/bin/bash' } },
      },
    ]);
  });

  it('reads the user of a system crontab', async () => {
    const text = '17 * * * * root cd / && run-parts --report /etc/cron.hourly\n';
    const imported = await importCase({ files: { 'cron.d/x': text } });
    expect(servicesIn(imported)).toMatchObject([
      { name: 'run-parts', privilege: { user: 'root' }, workingDir: '/root' },
    ]);
    expect(imported.manifest).toContain(
      '# user has no effect without a privileged supervisor: sup start --sys\n        user: root\n',
    );
  });

  it.each([
    ['0 0 1-31 * 1', '2026-01-01T12:00:00Z', '2026-01-02T00:00:00.000Z'],
    ['0 0 13 * 5', '2026-01-01T12:00:00Z', '2026-01-02T00:00:00.000Z'],
    ['*/70 * * * *', '2026-01-01T12:00:00Z', '2026-01-01T13:00:00.000Z'],
    ['0 0 * * 7', '2026-01-01T12:00:00Z', '2026-01-04T00:00:00.000Z'],
    ['0 0 * jan-mar mon,TUE', '2026-01-01T12:00:00Z', '2026-01-05T00:00:00.000Z'],
    ['0 0 * * 5-7', '2026-01-03T12:00:00Z', '2026-01-04T00:00:00.000Z'],
    ['@weekly', '2026-01-01T12:00:00Z', '2026-01-04T00:00:00.000Z'],
  ])('is due when %s says', async (fields, after, at) => {
    expect(await due(fields, after)).toBe(at);
  });

  it('is due by the clock of another time zone', async () => {
    expect(await due('0 9 * * *', '2026-07-01T00:00:00Z', 'Asia/Tokyo')).toBe('2026-07-02T00:00:00.000Z');
    expect(await due('30 8 * * *', '2026-07-01T00:00:00Z', 'America/New_York')).toBe(
      '2026-07-01T12:30:00.000Z',
    );
  });

  it('tells of days that must match both fields', async () => {
    const { rows } = await importCase({ files: { crontab: '0 0 */2 * 1 x\n' } });
    expect(
      rows.some((row) => row.startsWith('lost x five fields:1 cron runs it on days that match both')),
    ).toBe(true);
  });

  it.each([
    ['60 * * * * x', 'ERR0810'],
    ['* * 0 * * x', 'ERR0810'],
    ['* * * * 8 x', 'ERR0810'],
    ['5/2 * * * * x', 'ERR0810'],
    ['1,,2 * * * * x', 'ERR0810'],
    ['* * * january * x', 'ERR0810'],
    ['30-5 * * * * x', 'ERR0810'],
    ['*/0 * * * * x', 'ERR0810'],
    ['@never x', 'ERR0810'],
    ['nonsense', 'ERR0802'],
    ['# nothing', 'ERR0804'],
    ['* * * * * x\0', 'ERR0803'],
  ])('refuses %j with %s', async (line, code) => {
    await expect(importCase({ files: { crontab: `${line}\n` } })).rejects.toMatchObject({
      document: { code },
    });
  });
});
