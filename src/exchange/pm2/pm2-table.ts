// The table that translates the keys of an ecosystem file of PM2 to keys of `sup`: the keys in PM2's
// `schema.json`, and others in its documentation.
import { cronProblem } from '../../streams/cron/cron-expression.ts';
import { flagIn, numberIn, type Pm2App, shownValue, spellingsOf } from './pm2-app.ts';
import { scheduleOf, textIn, valueOf, wordsOf } from './pm2-app.ts';
import { ENVIRONMENT_ROWS } from './pm2-environment.ts';
import { LAUNCH_ROWS, lostIfSet, type Pm2Row, RESTARTS_ROWS, STOPS_ROWS } from './pm2-run-rows.ts';
import {
  lost,
  unneeded,
  type Plain,
  type Translation,
  type RowDescription,
  type KeyRow,
} from '../key-table.ts';
import { literalText, durationText } from '../manifest-text.ts';

type Read = NonNullable<Pm2Row['read']>;

const isNowhere = (value: Plain | undefined): boolean => value === '/dev/null' || value === 'NULL';

const OWN_FILES = 'sup keeps the output in files of its own: sup logs shows it, sup logs --path where it is';

/** Translates `out_file` and `error_file`. If PM2 discards both outputs, `sup` discards them, too. */
const readOutput: Read = ({ value }, app) => {
  if (!isNowhere(value)) return { lost: OWN_FILES };
  const both = isNowhere(valueOf(app, 'out_file')) && isNowhere(valueOf(app, 'error_file'));
  return both
    ? { keys: { 'logs.sink': 'none' } }
    : { lost: 'the output is kept: logs.sink is for both outputs' };
};

const readCombined: Read = ({ value }) =>
  value === false || value === null || isNowhere(value) ? {} : { lost: OWN_FILES };

const pathsIn = (app: Pm2App): readonly string[] => {
  const given = valueOf(app, 'watch');
  const paths = typeof given === 'boolean' ? [] : wordsOf(app, 'watch');
  return (paths.length === 0 ? ['.'] : paths).map((path) => literalText(app.placed(path)));
};

/** Returns the patterns of ignored files. PM2 ignores hidden files unless `ignore_watch` is set. */
const ignoredIn = (app: Pm2App): readonly string[] =>
  valueOf(app, 'ignore_watch') === undefined ? ['.*'] : wordsOf(app, 'ignore_watch').map(literalText);

const isWatched = (app: Pm2App): boolean => {
  const value = valueOf(app, 'watch');
  return value !== undefined && value !== false && value !== null;
};

const readWatch: Read = (_, app): Translation =>
  isWatched(app) ? { keys: { 'watch.paths': pathsIn(app), 'watch.ignore': ignoredIn(app) } } : {};

/** The shortest `watch.debounce` of a manifest, ms. */
const LEAST_REST = 50;

const readSchedule: Read = (_, app) => {
  const expression = scheduleOf(app);
  const problem = expression === undefined ? undefined : cronProblem(expression, 'local');
  return problem === undefined ? {} : { lost: `the schedule cannot be used: ${problem}` };
};

const MANUAL = 'manual';

const PLACE_ROWS: readonly Pm2Row[] = [
  {
    theirs: 'watch',
    ours: ['watch'],
    note: '`true` watches the working directory.',
    read: readWatch,
  },
  {
    theirs: 'ignore_watch',
    also: spellingsOf('ignore_watch'),
    ours: ['watch.ignore'],
    note: 'Patterns with `*`; PM2 also accepts regular expressions. Without this key hidden files are ignored.',
    read: (setting) =>
      [setting.value].flat().some((each) => /[\\^()+[\]|]/.test(shownValue(each)))
        ? { changed: 'the patterns are read as names and paths with *, not as regular expressions' }
        : {},
  },
  {
    theirs: 'watch_delay',
    also: spellingsOf('watch_delay'),
    ours: ['watch.debounce'],
    note: 'The value is at least 50 ms.',
    read: (setting, app) =>
      isWatched(app)
        ? { keys: { 'watch.debounce': durationText(Math.max(LEAST_REST, numberIn(setting))) } }
        : {},
  },
  {
    theirs: 'watch_options',
    also: spellingsOf('watch_options'),
    ours: [],
    note: 'These are options of the package `chokidar`.',
    read: lost('options of chokidar have no counterpart: see watch.ignore and watch.debounce'),
  },
  {
    theirs: 'cron_restart',
    also: spellingsOf('cron_restart'),
    ours: ['cron'],
    note: 'Becomes a service of its own, `<name>-restart`, with `cron` and the command `sup restart`.',
    read: readSchedule,
  },
  {
    theirs: 'namespace',
    ours: [],
    note: 'Becomes the project (`projects.<id>`). The full name of a service is then `shop/web`, for example.',
    read: unneeded,
  },
  {
    theirs: 'autostart',
    ours: ['profiles'],
    note: '`false` becomes the profile `manual`.',
    read: (setting) =>
      flagIn(setting)
        ? {}
        : { keys: { profiles: [MANUAL] }, changed: `it exists only with: sup start --profile ${MANUAL}` },
  },
  {
    theirs: 'uid',
    also: spellingsOf('uid'),
    ours: ['user'],
    note: 'Has an effect only with `--sys`.',
    read: (setting) => ({ keys: { user: textIn(setting) } }),
  },
  {
    theirs: 'gid',
    ours: ['group'],
    note: 'Has an effect only with `--sys`.',
    read: (setting) => ({ keys: { group: textIn(setting) } }),
  },
];

const OUTPUT_ROWS: readonly Pm2Row[] = [
  {
    theirs: 'out_file',
    also: spellingsOf('out_file'),
    ours: ['logs.sink'],
    note: '`sup logs` shows the output, `sup logs --path` the path of its file. `/dev/null` for both outputs becomes `none`.',
    read: readOutput,
  },
  { theirs: 'error_file', also: spellingsOf('error_file'), ours: ['logs.sink'], read: readOutput },
  { theirs: 'log_file', also: spellingsOf('log_file'), ours: [], read: readCombined },
  {
    theirs: 'disable_logs',
    also: spellingsOf('disable_logs'),
    ours: ['logs.sink'],
    read: (setting) => (flagIn(setting) ? { keys: { 'logs.sink': 'none' } } : {}),
  },
  {
    theirs: 'log_type',
    also: spellingsOf('log_type'),
    ours: [],
    note: '`sup logs --json` prints each line as JSON.',
    read: lost('the files have plain lines; sup logs --json prints each as JSON'),
  },
  {
    theirs: 'log_date_format',
    also: spellingsOf('log_date_format'),
    ours: [],
    note: 'Every line has its time, in UTC. `sup logs --local` shows local time.',
    read: () => ({ changed: 'every line has its time in one format; sup logs --local shows local time' }),
  },
  { theirs: 'time', ours: [], note: 'Every line has its time.', read: unneeded },
  {
    theirs: 'merge_logs',
    also: spellingsOf('merge_logs'),
    ours: [],
    note: '`sup logs api` shows all instances together.',
    read: (setting) =>
      flagIn(setting)
        ? { changed: 'each instance has a log of its own; sup logs shows all of them together' }
        : {},
  },
  {
    theirs: 'pid_file',
    also: spellingsOf('pid_file'),
    ours: [],
    note: '`sup inspect` and `sup status --json` have the process id.',
    read: lost('no file has the process id: sup inspect and sup status --json show it'),
  },
];

/** Returns a row for a key that needs no counterpart. */
const without = (theirs: string, note: string): Pm2Row => ({
  ...{ theirs, also: spellingsOf(theirs), ours: [], note },
  read: unneeded,
});

const PLUS = 'there is no PM2 Plus: see sup status --watch, sup dashboard and the alerts of a manifest';

const OTHER_ROWS: readonly Pm2Row[] = [
  without('vizion', 'Versions of the source code are not shown.'),
  without('force', 'This key is only for `pm2 start` of a script that runs already.'),
  without('name_prefix', 'This is only an option of the command line.'),
  without('execute_command', 'Forces fork mode.'),
  without('disable_source_map_support', 'Source maps are used only if they are asked for.'),
  without('username', 'PM2 sets this key itself.'),
  without('windowsHide', 'This key is only for Windows.'),
  without('write', 'This is only an option of the command line.'),
  without('pmx', 'Nothing is loaded into the program.'),
  without('automation', 'Nothing is loaded into the program.'),
  without('disable_trace', 'Nothing is traced.'),
  without('v8', 'Nothing is loaded into the program.'),
  without('event_loop_inspector', 'Nothing is loaded into the program.'),
  { theirs: 'trace', ours: [], note: 'This key is only for PM2 Plus.', read: lostIfSet(PLUS) },
  {
    ...{
      theirs: 'deep_monitoring',
      also: spellingsOf('deep_monitoring'),
      ours: [],
      note: 'This key is only for PM2 Plus.',
    },
    read: lostIfSet(PLUS),
  },
  { theirs: 'io', ours: [], note: 'This key is only for PM2 Plus.', read: lost(PLUS) },
  {
    ...{
      theirs: 'install_url',
      also: spellingsOf('install_url'),
      ours: [],
      note: 'This key is only for modules of PM2.',
    },
    read: lost('sup installs nothing'),
  },
  {
    ...{ theirs: 'post_update', also: spellingsOf('post_update'), ours: [] },
    note: '`sup` pulls no source code. See [hooks](manifest.md#hooks) and `deployment.pre_start`.',
    read: lost('sup pulls nothing: see deployment.pre_start for commands before a start'),
  },
  {
    ...{ theirs: 'append_env_to_name', also: spellingsOf('append_env_to_name'), ours: [] },
    note: 'There is no `--env`.',
    read: lostIfSet('there is no --env, so the name stays the same'),
  },
];

/** The rows for keys of the file outside of `apps`. */
export const FILE_ROWS: readonly KeyRow<unknown, never>[] = [
  {
    theirs: 'deploy',
    ours: [],
    note: '`pm2 deploy` has no counterpart. See [deployments](deployments.md).',
    read: lost('pm2 deploy has no counterpart: copy the program as you do now, then run sup apply'),
  },
  {
    theirs: 'static',
    ours: [],
    note: 'This key is for the file server of PM2.',
    read: lost('pm2 serve has no counterpart: run another file server as a service'),
  },
];

export const APP_ROWS: readonly Pm2Row[] = [
  ...LAUNCH_ROWS,
  ...ENVIRONMENT_ROWS,
  ...RESTARTS_ROWS,
  ...STOPS_ROWS,
  ...PLACE_ROWS,
  ...OUTPUT_ROWS,
  ...OTHER_ROWS,
];

/** All rows, for the page of the format. */
export const PM2_ROWS: readonly RowDescription[] = [...APP_ROWS, ...FILE_ROWS];
