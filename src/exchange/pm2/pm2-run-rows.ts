// Table rows that translate the keys about start, restart and stop of an app of PM2.
import { flagIn, flagOf, numberOf, type Pm2App, settingOf } from './pm2-app.ts';
import { sizeIn, spellingsOf, textIn } from './pm2-app.ts';
import { readScript } from './pm2-command.ts';
import { instanceVariable, readIncrement, readInstances } from './pm2-instances.ts';
import { backoffOf, policyOf, readStopCodes, restartsOf } from './pm2-restarts.ts';
import { lost, unneeded, type KeyRow } from '../key-table.ts';
import { durationText } from '../manifest-text.ts';

export type Pm2Row = KeyRow<Pm2App, never>;
type Read = NonNullable<Pm2Row['read']>;

/** Returns a reader for a flag that is lost only if it is true. */
export const lostIfSet =
  (message: string): Read =>
  (setting) =>
    flagIn(setting) ? { lost: message } : {};

/** PM2's default for the time between SIGINT and SIGKILL, ms. */
const KILL_MS = 1600;

/** Returns the time between SIGINT and SIGKILL, ms. `kill_timeout: 0` means the default. */
const killTime = (app: Pm2App): number => {
  const given = numberOf(app, 'kill_timeout') ?? 0;
  return given > 0 ? given : KILL_MS;
};

const stopOf = (app: Pm2App): ReturnType<Read> => ({
  keys: { stop_signal: 'SIGINT', stop_timeout: durationText(killTime(app)) },
});

const isRestarted = (app: Pm2App): boolean =>
  settingOf(app, 'autorestart') === undefined || flagOf(app, 'autorestart');

const backoff = (app: Pm2App): ReturnType<Read> =>
  isRestarted(app) ? { keys: { backoff: backoffOf(app) } } : {};
const restarts = (app: Pm2App): ReturnType<Read> =>
  isRestarted(app) ? { keys: { max_restarts: restartsOf(app) } } : {};

export const LAUNCH_ROWS: readonly Pm2Row[] = [
  {
    theirs: 'name',
    ours: [],
    note: 'Becomes the name of the service. The default is the name of the script.',
    read: (setting, { service }) =>
      textIn(setting) === service ? {} : { changed: `the service has the name ${service}` },
  },
  {
    theirs: 'script',
    also: spellingsOf('script'),
    ours: ['exec'],
    note: '`exec` begins with an interpreter: the one that the key `interpreter` names, or the one that PM2 chooses by the extension of the file, or `node` for any other text file. A binary program gets no interpreter. If `script` has a space, `bash -c` runs the whole line.',
    read: readScript,
  },
  {
    theirs: 'args',
    ours: ['exec'],
    note: 'A text is split into words in the same way as in PM2.',
    read: unneeded,
  },
  {
    theirs: 'cwd',
    ours: ['working_dir'],
    note: 'The default is the directory of the ecosystem file. The default of PM2 is the working directory of the shell.',
    read: unneeded,
  },
  {
    theirs: 'exec_interpreter',
    also: spellingsOf('exec_interpreter'),
    ours: ['exec'],
    note: 'With `none` no interpreter is written. `node@18` would need `nvm`, and becomes `node`.',
    read: unneeded,
  },
  { theirs: 'node_args', also: spellingsOf('node_args'), ours: ['exec'], read: unneeded },
  {
    theirs: 'exec_mode',
    also: spellingsOf('exec_mode'),
    ours: ['replicas'],
    note: 'In both modes each instance is a process of its own: see `instances`.',
    read: unneeded,
  },
  {
    theirs: 'instances',
    ours: ['replicas'],
    note: '`max`, 0 and negative numbers become the number that PM2 would compute on this machine. In cluster mode the instances of PM2 share a port. In `sup` instances share [a held socket](held-sockets.md).',
    read: readInstances,
  },
  {
    theirs: 'instance_var',
    also: spellingsOf('instance_var'),
    ours: ['env.vars'],
    note: 'The default is `NODE_APP_INSTANCE`. `{instance}` counts from 1, but PM2 counts from 0.',
    read: (_, app) => instanceVariable(app),
    absent: instanceVariable,
  },
  {
    theirs: 'increment_var',
    also: spellingsOf('increment_var'),
    ours: ['env.vars'],
    note: 'For example, with `PORT: 300{instance}` the first instance gets 3001.',
    read: readIncrement,
  },
  {
    theirs: 'source_map_support',
    also: spellingsOf('source_map_support'),
    ours: ['exec'],
    note: '`true` becomes `--enable-source-maps` of Node.',
    read: unneeded,
  },
];

export const RESTARTS_ROWS: readonly Pm2Row[] = [
  {
    theirs: 'autorestart',
    ours: ['restart_policy'],
    note: 'The default is `always`. `false` becomes `never`.',
    read: (setting, app) => (flagIn(setting) ? policyOf(app) : { keys: { restart_policy: 'never' } }),
    absent: policyOf,
  },
  {
    theirs: 'stop_exit_codes',
    also: spellingsOf('stop_exit_codes'),
    ours: ['restart_policy', 'success_exit_codes'],
    note: 'With this key the policy is `on-failure`, so the exit status 0 always counts as success too.',
    read: readStopCodes,
  },
  {
    theirs: 'max_restarts',
    also: spellingsOf('max_restarts'),
    ours: ['max_restarts'],
    note: 'The number of restarts after which PM2 gives up a program that ends at once. The default is 15. If the delay is so long that PM2 never gives up, the number is 1000000. PM2 counts only runs that are shorter than `min_uptime`. `sup` counts all restarts until the service has been ready for 60 s.',
    read: (_, app) => restarts(app),
    absent: restarts,
  },
  {
    theirs: 'min_uptime',
    also: spellingsOf('min_uptime'),
    ours: ['max_restarts'],
    note: 'The import uses this key only to compute `max_restarts`.',
    read: () => ({
      changed:
        'sup counts every restart, however long the run was, until the service has been ready for 60 s',
    }),
  },
  {
    theirs: 'restart_delay',
    also: spellingsOf('restart_delay'),
    ours: ['backoff'],
    note: 'The default is 0.',
    read: (_, app) => backoff(app),
    absent: backoff,
  },
  {
    theirs: 'exp_backoff_restart_delay',
    also: spellingsOf('exp_backoff_restart_delay'),
    ours: ['backoff'],
    note: 'The pause grows by the factor 1.5, up to 15 s.',
    read: (_, app) => backoff(app),
  },
  {
    theirs: 'max_memory_restart',
    also: spellingsOf('max_memory_restart'),
    ours: ['max_memory'],
    note: 'PM2 measures the main process. `sup` measures all processes of the service. Both programs may react up to 30 s later.',
    read: (setting) => ({ keys: { max_memory: sizeIn(setting) } }),
  },
];

export const STOPS_ROWS: readonly Pm2Row[] = [
  {
    theirs: 'kill_timeout',
    also: spellingsOf('kill_timeout'),
    ours: ['stop_timeout', 'stop_signal'],
    note: 'The default is 1600 ms. PM2 stops an app with SIGINT.',
    read: (_, app) => stopOf(app),
    absent: stopOf,
  },
  {
    theirs: 'kill_retry_time',
    also: spellingsOf('kill_retry_time'),
    ours: [],
    note: 'Not needed: `sup` notices the end of a process at once.',
    read: unneeded,
  },
  {
    theirs: 'treekill',
    ours: [],
    note: '`sup` ends all processes of a service in any case.',
    read: (setting) => (flagIn(setting) ? {} : { lost: 'sup ends all processes of the service in any case' }),
  },
  {
    theirs: 'shutdown_with_message',
    also: spellingsOf('shutdown_with_message'),
    ours: ['stop_command'],
    note: 'There is no channel for messages. `stop_command` runs before `stop_signal`.',
    read: lostIfSet('the program gets SIGINT and no message: handle SIGINT, or write a stop_command'),
  },
  {
    theirs: 'wait_ready',
    also: spellingsOf('wait_ready'),
    ours: ['deployment.health_check'],
    note: 'There is no `process.send`, so `process.send("ready")` fails. Use a check by `url`, `tcp` or `log`, or let the program [send `READY=1`](how-to/notify-when-ready.md).',
    read: lostIfSet(
      'there is no process.send: write deployment.health_check, such as { tcp: <port> }, or { notify: true } for READY=1',
    ),
  },
  {
    theirs: 'listen_timeout',
    also: spellingsOf('listen_timeout'),
    ours: ['deployment.health_check'],
    note: 'This key limits the time of `wait_ready`, which has no counterpart.',
    read: lost('no check is imported that it limits: see deployment.health_check.total_timeout'),
  },
];
