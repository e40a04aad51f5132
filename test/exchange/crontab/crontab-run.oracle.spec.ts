// An imported crontab under the built sup: when its jobs are due, and what a job gets from the crontab.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { ServiceDocument } from '../../../src/streams/wire/documents/documents.ts';
import { writtenFiles } from '../support/import-case.ts';
import { answeredStatus, type RunSup, supIn, textOnce } from '../support/run-sup.ts';

const [MINUTE, DAY] = [60_000, 24 * 60 * 60_000];
const HOUR = 60 * MINUTE;

/**
 * Two zones, and when the jobs are due in them, as the time of a day in UTC. No job is due while the test runs,
 * because these times are in the other half of the day. Neither zone has daylight saving time.
 */
const CLOCKS =
  Date.now() % DAY < DAY / 2
    ? { zone: 'Asia/Kathmandu', midnight: 18 * HOUR + 15 * MINUTE, hour: 22, mailed: 13 * HOUR + 30 * MINUTE }
    : { zone: 'Pacific/Marquesas', midnight: 9 * HOUR + 30 * MINUTE, hour: 9, mailed: 30 * MINUTE };

const CRONTAB = `GREETING = "good  day"
@daily /bin/sh note.sh daily
CRON_TZ = Asia/Tokyo
COLOUR = red $5
30 ${CLOCKS.hour} * * * cat >input; /bin/sh note.sh "$GREETING"%Dear 'all' $HOME,%it is 10\\%%%done
`;

/** Notes the directory, the arguments and the environment, and says so once the file is whole. */
const NOTE = `{ pwd; echo "$@"; env | grep -Ev '^(_|PWD|OLDPWD|SHLVL|SUP_[A-Z_]*)=' | sort; echo end; } >noted
`;

/** Returns the first instant after `now` at which so many milliseconds of a day in UTC have passed. */
const nextOfDay = (now: number, passed: number): string => {
  const today = Math.floor(now / DAY) * DAY + passed;
  return new Date(today > now ? today : today + DAY).toISOString();
};

const servicesOf = async (sup: RunSup): Promise<readonly ServiceDocument[]> => {
  const { projects } = await answeredStatus(sup);
  return projects.flatMap(({ services }) => services);
};

it('an imported crontab is due as it says, and its jobs get their variables and their input', async () => {
  const directory = writtenFiles({ crontab: CRONTAB, 'note.sh': NOTE });
  const sup = supIn(directory, { TZ: CLOCKS.zone, LOGNAME: 'joe', COLOUR: 'blue', OTHER: 'x' });
  expect(await sup('import', 'crontab', '--out', 'sup.yaml')).toMatchObject({ status: 0 });
  expect(await sup('start', '-d')).toMatchObject({ status: 0 });
  const now = Date.now();
  const due = [nextOfDay(now, CLOCKS.midnight), nextOfDay(now, CLOCKS.mailed)];
  const services = await servicesOf(sup);
  expect(services.map(({ next_run_at }) => next_run_at)).toEqual(due);
  const [daily, mail] = services.map(({ name }) => `cron/${name}`);
  if (daily === undefined || mail === undefined) throw new Error('a job is missing');
  expect((await sup('why', mail)).stdout).toMatch(/next\s+runs in \d/);
  expect((await sup('start', mail, '-d')).status).toBe(0);
  const noted = await textOnce(join(directory, 'noted'), (text) => text.endsWith('end\n'));
  expect(readFileSync(join(directory, 'input'), 'utf8')).toBe("Dear 'all' $HOME,\nit is 10%\n\ndone\n");
  expect(noted.split('\n')).toEqual([
    ...[directory, 'good  day', 'COLOUR=red $5', 'GREETING=good  day', `HOME=${directory}`],
    ...['LOGNAME=joe', 'PATH=/usr/bin:/bin', 'SHELL=/bin/sh', 'end', ''],
  ]);
  writeFileSync(join(directory, 'noted'), '');
  expect((await sup('start', daily, '-d')).status).toBe(0);
  expect(await textOnce(join(directory, 'noted'), (text) => text.endsWith('end\n'))).toContain('\ndaily\n');
  expect((await servicesOf(sup)).map(({ next_run_at }) => next_run_at)).toEqual(due);
});
