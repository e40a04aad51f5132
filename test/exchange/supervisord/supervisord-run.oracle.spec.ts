// The same programs under supervisord and, after an import, under sup: order, environment, restarts, states
// at the end and signals.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import type { ServiceDocument } from '../../../src/streams/wire/documents/documents.ts';
import { writtenFiles } from '../support/import-case.ts';
import { describeWith } from '../support/oracle.ts';
import { answeredStatus, ran, type RunSup, supIn, textOnce } from '../support/run-sup.ts';

/** The programs by their priorities, which say the order of starts and stops. */
const PRIORITIES: Readonly<Record<string, number>> = {
  ...{ idle: 5, db: 10, cache: 20, queue: 30, api_0: 40, api_1: 40 },
  ...{ crash: 60, once: 60, never: 60, flaky: 60 },
};

/** `startsecs` is long where supervisord could notice late that a program has ended, and count it as started. */
const CONFIGURATION = `[unix_http_server]
file = %(here)s/ctl
[rpcinterface:supervisor]
supervisor.rpcinterface_factory = supervisor.rpcinterface:make_main_rpcinterface
[supervisorctl]
serverurl = unix://%(here)s/ctl
[supervisord]
nodaemon = true
logfile = %(here)s/supervisord.log
pidfile = %(here)s/supervisord.pid
childlogdir = %(here)s
environment = REGION="eu"

[program:flaky]
command = /bin/sh play.sh flaky 4
startsecs = 0
priority = 60
[program:never]
command = /bin/sh play.sh never 1
startsecs = 0
autorestart = false
priority = 60
[program:once]
command = /bin/sh play.sh once 3
exitcodes = 0,3
startsecs = 0
priority = 60
[program:crash]
command = /bin/sh play.sh crash 1
startsecs = 30
startretries = 2
priority = 60
[program:api]
command = /bin/sh play.sh %(program_name)s_%(process_num)d
process_name = %(program_name)s_%(process_num)d
numprocs = 2
priority = 40
environment = COLOUR="80%(process_num)02d"
[program:queue]
command = /bin/sh play.sh queue
priority = 30
stopsignal = USR1
[program:cache]
command = /bin/sh play.sh cache
priority = 20
stopsignal = INT
environment = COLOUR="red, $5; 100%%"
[program:db]
command = /bin/sh play.sh db
priority = 10
[program:idle]
command = /bin/sh play.sh idle
priority = 5
autostart = false

[program:mail]
command = /bin/sh play.sh mail
stopsignal = HUP
priority = 2
[program:fax]
command = /bin/sh play.sh fax
priority = 1
[group:office]
programs = fax, mail
`;

/** Notes its start, with the time at which its process began, and its signal. `flaky` fails only once. */
const PLAY = `read -r stat <"/proc/$$/stat"
name=$1 code=$2
set -- \${stat##*) }
began=\${20}
note() { echo "$name $1" >>events; }
if [ "$name" = flaky ] && [ -e recovered ]; then code=; fi
if [ "$name" = flaky ]; then : >recovered; fi
for signal in TERM INT HUP USR1; do trap "note $signal; kill \\$!; exit 0" $signal; done
if [ -z "$code" ]; then sleep 1000 & fi
note "starts at $began with $REGION $COLOUR"
if [ -n "$code" ]; then exit "$code"; fi
while :; do wait; done
`;

const RUNNING = ['api_0', 'api_1', 'cache', 'db', 'fax', 'flaky', 'mail', 'queue'];
const STARTS = RUNNING.length + 'never once crash crash crash flaky'.split(' ').length;

const linesOf = (text: string): readonly string[] => text.trimEnd().split('\n');

/** Resolves once all programs have started as often as they should and all that stay up have noted it. */
const startsIn = async (directory: string): Promise<readonly string[]> =>
  linesOf(await textOnce(join(directory, 'events'), (text) => text.split('\n').length > STARTS));

const untimed = (starts: readonly string[]): readonly string[] =>
  starts.map((line) => line.replace(/ at \d+/, '')).toSorted();

/** Returns the priorities of the programs of one project in an order. */
const prioritiesOf = (names: readonly string[]): readonly number[] =>
  [...new Set(names)].flatMap((name) => PRIORITIES[name] ?? []);

const stopsIn = (directory: string): readonly string[] =>
  linesOf(readFileSync(join(directory, 'events'), 'utf8')).filter((line) => !line.includes(' starts '));

interface Observed {
  readonly starts: readonly string[];
  readonly startOrder: readonly number[];
  readonly groupOrder: readonly string[];
  readonly states: Readonly<Record<string, string>>;
  readonly stops: readonly string[];
  readonly stopOrder: readonly number[];
}

const observed = (
  directory: string,
  starts: readonly string[],
  { names, states }: { readonly names: readonly string[]; readonly states: Readonly<Record<string, string>> },
): Observed => {
  const stops = stopsIn(directory);
  return {
    starts: untimed(starts),
    startOrder: prioritiesOf(names),
    groupOrder: names.filter((name) => name === 'fax' || name === 'mail'),
    states,
    stops: stops.toSorted(),
    stopOrder: prioritiesOf(stops.map((line) => line.replace(/ .*/, ''))),
  };
};

const env = { PATH: '/usr/bin:/bin', HOME: '/root', LANG: 'C.UTF-8' };

/** Runs the programs under supervisord until they have come to rest, and stops them. */
const underSupervisord = async (directory: string): Promise<Observed> => {
  const child = spawn('/usr/bin/supervisord', ['-c', 'supervisord.conf'], {
    ...{ cwd: directory, env, stdio: 'ignore' },
  });
  const ends = new Promise((done) => child.once('exit', done));
  onTestFinished(() => void child.kill('SIGTERM'));
  const log = join(directory, 'supervisord.log');
  await textOnce(log, (text) => /crash entered FATAL/.test(text) && /db entered RUNNING/.test(text));
  const starts = await startsIn(directory);
  const { stdout } = await ran(['/usr/bin/supervisorctl', '-c', 'supervisord.conf', 'status'], {
    ...{ cwd: directory, env },
  });
  child.kill('SIGTERM');
  await ends;
  const spawned = readFileSync(log, 'utf8').matchAll(/spawned: '(\w+)'/g);
  const rows = [...stdout.matchAll(/^(?:\w+:)?(\w+) +([A-Z]+) /gm)];
  return observed(directory, starts, {
    names: [...spawned].map(([, name = '']) => name),
    states: Object.fromEntries(rows.map(([, name = '', state]) => [name, state])) as Record<string, string>,
  });
};

/** The state of sup for a state of supervisord; it also tells whether a program failed when it ended. */
const STATES: Readonly<Record<string, string>> = {
  ...{ running: 'RUNNING', ready: 'RUNNING', skipped: 'STOPPED', 'breaker-open': 'FATAL' },
  ...{ done: 'EXITED', failed: 'EXITED' },
};

/** A program that ends counts as running until its end is noticed. */
const ENDING: ReadonlySet<string> = new Set(['crash', 'once', 'never']);

const isAtRest = ({ name, state }: Pick<ServiceDocument, 'name' | 'state'>): boolean =>
  state in STATES && !(ENDING.has(name) && STATES[state] === 'RUNNING');

/** Resolves to the services once no state will change any more. */
const restingServices = async (sup: RunSup): Promise<readonly { name: string; state: string }[]> => {
  for (let tries = 0; tries < 600; tries += 1) {
    const services = (await answeredStatus(sup)).projects.flatMap((project) => project.services);
    if (services.every(isAtRest)) return services;
    await pause(100);
  }
  throw new Error('the services do not come to rest');
};

const beganAt = (line: string): number => Number(/ at (\d+) /.exec(line)?.[1]);

/** Imports the configuration, runs the programs under sup until they have come to rest, and stops them. */
const underSup = async (directory: string): Promise<Observed> => {
  const sup = supIn(directory);
  expect(await sup('import', 'supervisord.conf', '--out', 'sup.yaml')).toMatchObject({ status: 0 });
  await sup('start', '-d');
  const starts = await startsIn(directory);
  const services = await restingServices(sup);
  expect((await sup('stop', '--all')).status).toBe(0);
  const order = starts.toSorted((one, other) => beganAt(one) - beganAt(other));
  return observed(directory, starts, {
    names: order.map((line) => line.replace(/ .*/, '')),
    states: Object.fromEntries(services.map(({ name, state }) => [name, STATES[state] ?? state])),
  });
};

describeWith('supervisord')('programs of supervisord', () => {
  it('run under sup as under supervisord', async () => {
    const files = { 'supervisord.conf': CONFIGURATION, 'play.sh': PLAY };
    const [theirs, ours] = await Promise.all([
      underSupervisord(writtenFiles(files)),
      underSup(writtenFiles(files)),
    ]);
    expect(theirs).toMatchObject({
      startOrder: [10, 20, 30, 40, 40, 60, 60, 60, 60],
      groupOrder: ['fax', 'mail'],
      states: { crash: 'FATAL', flaky: 'RUNNING', idle: 'STOPPED', never: 'EXITED', once: 'EXITED' },
      stopOrder: [60, 40, 40, 30, 20, 10],
    });
    expect(theirs.starts).toHaveLength(STARTS);
    expect(theirs.starts).toContain('cache starts with eu red, $5; 100%');
    expect(theirs.stops).toHaveLength(RUNNING.length);
    expect(theirs.stops).toEqual(expect.arrayContaining(['cache INT', 'mail HUP', 'queue USR1', 'db TERM']));
    expect(ours).toEqual(theirs);
  });
});
