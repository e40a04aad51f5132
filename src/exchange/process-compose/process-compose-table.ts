// The table that translates the keys of a process of process-compose to keys of `sup`.
import { type ProcessContext, type ProcessRow, probeKeys, variablesOf } from './process-compose-values.ts';
import { ownValue, remarks, isPlainMap, unneeded, type Plain, type Translation } from '../key-table.ts';
import { literalText, literalPattern, variableKeys } from '../manifest-text.ts';
import {
  textOf,
  textsOf,
  shownValue,
  isTrue,
  numberOf,
  signalName,
  translated,
  numberTo,
} from '../source-values.ts';

const CONDITIONS = [
  'process_completed',
  'process_completed_successfully',
  'process_healthy',
  'process_started',
];

const dependencies = (value: Plain, { names }: ProcessContext): Translation => {
  const table = isPlainMap(value) ? value : Object.fromEntries(textsOf(value).map((name) => [name, null]));
  const notes: string[] = [];
  const unknown = Object.keys(table).filter((theirs) => !names.has(theirs));
  const all = Object.entries(table).flatMap(([theirs, options]): readonly Plain[] => {
    const name = names.get(theirs);
    if (name === undefined) return [];
    const written = isPlainMap(options) ? options['condition'] : options;
    const condition = typeof written === 'number' ? CONDITIONS[written] : textOf(written);
    if (condition === 'process_completed') notes.push(`it waits until ${name} has ended successfully`);
    return [condition?.startsWith('process_completed') ? { service: name, condition: 'completed' } : name];
  });
  return {
    ...(all.length > 0 && { keys: { depends_on: all } }),
    ...remarks(notes, unknown.length > 0 ? [`${unknown.join(', ')} is not a process of this file`] : []),
  };
};

const RESTARTS: Readonly<Record<string, Translation>> = {
  no: { keys: { restart_policy: 'never' } },
  always: { keys: { restart_policy: 'always' } },
  on_failure: { keys: { restart_policy: 'on-failure' } },
  exit_on_failure: {
    keys: { restart_policy: 'never' },
    lost: 'a failure does not end the supervisor; essential: true does under sup supervise -c',
  },
};

const isScheduled = ({ own }: ProcessContext): boolean => own['schedule'] !== undefined;

const restarts = (value: Plain, context: ProcessContext): Translation => {
  const word = typeof value === 'number' ? Object.keys(RESTARTS)[value] : textOf(value);
  const found = ownValue(RESTARTS, word ?? '');
  if (found === undefined) return { lost: `${shownValue(value)} is not a restart policy` };
  return isScheduled(context) ? {} : found;
};

const hasReadiness = ({ own }: ProcessContext): boolean => isPlainMap(own['readiness_probe']);

const CHECK = 'deployment.health_check';

const REPEATED: Readonly<Record<string, (every: number) => string>> = {
  s: (every) => (every === 60 ? '* * * * *' : `*/${every} * * * * *`),
  m: (every) => (every === 60 ? '0 * * * *' : `*/${every} * * * *`),
  h: (every) => (every === 24 ? '0 0 * * *' : `0 */${every} * * *`),
};

/** Returns the cron expression for an interval such as `5m`; `undefined` if there is no such expression. */
const repeated = (value: Plain): string | undefined => {
  const [, count = '', unit = ''] = /^(\d+)([smh])$/.exec(textOf(value)) ?? [];
  const every = Number(count);
  const isEven = (unit === 'h' ? 24 : 60) % every === 0;
  return isEven ? REPEATED[unit]?.(every) : undefined;
};

const launched = (value: Plain, context: ProcessContext): Translation => ({
  keys: { exec: [...context.shell, textOf(value)] },
});

const seconds = (ours: string) =>
  translated(
    ours,
    (value) => {
      const count = numberOf(value);
      return count === undefined || count < 0 ? undefined : `${Math.max(1, count)}s`;
    },
    'a number',
  );

const without = (theirs: string, also: readonly string[], message: string): ProcessRow => ({
  ...{ theirs, also, ours: [], note: `${message}.` },
  read: ({ value }) => (value === false || value === null ? {} : { lost: message }),
});

const RUN_ROWS: readonly ProcessRow[] = [
  {
    theirs: 'command',
    ours: ['exec'],
    note: 'The line runs through `bash -c`, or through the `shell` of the file. `{{.NAME}}` is replaced by the value in `vars`.',
    read: ({ value }, context) => launched(value, context),
    absent: ({ own }) =>
      own['entrypoint'] === undefined
        ? { keys: { command: 'false', skip: true }, lost: 'the process has no command' }
        : {},
  },
  {
    theirs: 'entrypoint',
    ours: ['exec'],
    note: 'Ignored if there is a `command`, as in process-compose.',
    read: ({ value }, context) =>
      context.own['command'] === undefined ? { keys: { exec: textsOf(value) } } : {},
  },
  {
    theirs: 'working_dir',
    ours: ['working_dir'],
    read: ({ value }, { placed }) => ({ keys: { working_dir: placed(textOf(value)) } }),
  },
  {
    theirs: 'environment',
    ours: ['env.vars'],
    note: 'The variables in the `environment` of the whole file are added.',
    read: ({ value }, context) => environment(value, context),
    absent: (context) => environment(null, context),
  },
  {
    theirs: 'vars',
    ours: [],
    note: 'The value replaces `{{.NAME}}` in all texts of the process. Other templates are not evaluated.',
    read: unneeded,
  },
  {
    theirs: 'depends_on',
    ours: ['depends_on'],
    note: 'A service waits until its dependency is ready: until the health check of the dependency passes, or until the dependency prints its `ready_log_line`.',
    read: ({ value }, context) => dependencies(value, context),
  },
  {
    theirs: 'replicas',
    ours: ['replicas'],
    note: '`SUP_INSTANCE` is the number of the instance, from 1. `PC_REPLICA_NUM` counts from 0.',
    read: ({ value }) => (numberOf(value) === 1 ? {} : numberTo('replicas')({ value })),
  },
  {
    theirs: 'disabled',
    also: ['is_disabled'],
    ours: ['skip'],
    read: ({ value }) => (isTrue(value) ? { keys: { skip: true } } : {}),
  },
  {
    theirs: 'schedule.cron',
    ours: ['cron.expression'],
    read: ({ value }) => ({ keys: { 'cron.expression': textOf(value) } }),
  },
  {
    theirs: 'schedule.interval',
    ours: ['cron.expression'],
    note: 'Only an interval that divides a minute, an hour or a day has a counterpart.',
    read: translated('cron.expression', repeated, 'an interval that divides a minute, an hour or a day'),
  },
  {
    theirs: 'schedule.timezone',
    ours: ['cron.timezone'],
    read: ({ value }) => ({ keys: { 'cron.timezone': value === 'UTC' ? 'utc' : textOf(value) } }),
  },
  without(
    'schedule.run_on_start',
    [],
    'a scheduled service runs at its times only: sup start runs it by hand',
  ),
  {
    theirs: 'schedule.max_concurrent',
    ours: [],
    read: ({ value }) => (numberOf(value) === 1 ? {} : { lost: 'one run of a service is alive at a time' }),
  },
];

const environment = (value: Plain, { shared }: ProcessContext): Translation =>
  variableKeys(
    Object.entries({ ...shared, ...variablesOf(value) }).map(([name, text]) => [name, literalText(text)]),
  );

const LIFE_ROWS: readonly ProcessRow[] = [
  {
    theirs: 'availability.restart',
    ours: ['restart_policy'],
    note: 'The default is `no`.',
    read: ({ value }, context) => restarts(value, context),
    absent: (context) => restarts('no', context),
  },
  {
    theirs: 'availability.backoff_seconds',
    ours: ['backoff'],
    read: (setting, context) => (isScheduled(context) ? {} : seconds('backoff')(setting)),
  },
  {
    theirs: 'availability.max_restarts',
    ours: ['max_restarts'],
    note: 'Without the key process-compose restarts a process without limit, and `sup` restarts a service 8 times in a row.',
    read: ({ value }, context) =>
      numberOf(value) === 0 || isScheduled(context) ? {} : numberTo('max_restarts')({ value }),
  },
  {
    theirs: 'availability.exit_on_end',
    ours: ['essential'],
    read: ({ value }) =>
      isTrue(value)
        ? {
            keys: { essential: true },
            changed: 'it ends a supervisor that was started with sup supervise -c',
          }
        : {},
  },
  without('availability.exit_on_skipped', [], 'a skipped service does not end the supervisor'),
  {
    theirs: 'shutdown.signal',
    ours: ['stop_signal'],
    read: translated('stop_signal', (value) => signalName(textOf(value)), 'a signal'),
  },
  {
    theirs: 'shutdown.timeout_seconds',
    ours: ['stop_timeout'],
    note: 'In both programs the default is 10 s.',
    read: seconds('stop_timeout'),
  },
  {
    theirs: 'shutdown.command',
    ours: ['stop_command'],
    note: 'The stop signal is sent after this command.',
    read: ({ value }) => ({ keys: { stop_command: literalText(textOf(value)) } }),
  },
  without('shutdown.parent_only', [], 'all processes of a service get the signal'),
  {
    theirs: 'readiness_probe',
    ours: [CHECK],
    note: '`exec` and `http_get` are imported, with the defaults of process-compose. After a failure the service is restarted by its policy.',
    read: ({ value }) => probeKeys(value, CHECK),
  },
  {
    theirs: 'liveness_probe',
    ours: [`${CHECK}.liveness`],
    note: 'Without a `readiness_probe`, the liveness probe becomes the health check itself.',
    read: ({ value }, context) => probeKeys(value, hasReadiness(context) ? `${CHECK}.liveness` : CHECK),
  },
  {
    theirs: 'ready_log_line',
    ours: [`${CHECK}.log`],
    note: 'Is used only if the process has no probes.',
    read: ({ value }, { own }) =>
      own['readiness_probe'] === undefined && own['liveness_probe'] === undefined
        ? {
            keys: {
              [`${CHECK}.log`]: literalText(literalPattern(textOf(value))),
            },
          }
        : { lost: 'a service has one health check: the probe counts' },
  },
];

export const PROCESS_COMPOSE_ROWS: readonly ProcessRow[] = [
  ...RUN_ROWS,
  ...LIFE_ROWS,
  without(
    'is_daemon',
    ['launch_timeout_seconds'],
    'a program that goes into the background has failed: use its option that keeps it in the foreground',
  ),
  without(
    'is_foreground',
    ['is_tty', 'is_interactive'],
    'a service has no terminal: sup exec runs a command in one',
  ),
  without('is_elevated', [], 'no service asks for a password: start the supervisor with --sys'),
  without(
    'namespace',
    [],
    'services of a namespace are started by their names; projects keep services apart',
  ),
  without('log_location', ['log_configuration'], 'output goes to log files of sup: read it with sup logs'),
  { theirs: 'description', ours: [], note: 'Write a comment instead.', read: unneeded },
  {
    theirs: 'disable_ansi_colors',
    ours: [],
    note: '`sup logs` shows colours only on a terminal.',
    read: unneeded,
  },
  {
    theirs: 'is_dotenv_disabled',
    ours: ['env.file'],
    note: 'If this key is not set, the file `.env` in the directory of the process-compose file becomes the env file of the service.',
    read: unneeded,
  },
];
