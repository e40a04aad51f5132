// The table that translates the parts of a crontab to keys of `sup`.
import { shellWord } from '../../os/shell-word.ts';
import { cronTimes } from './cron-fields.ts';
import { lost, unneeded, type Translation, type KeyRow } from '../key-table.ts';
import { literalText } from '../manifest-text.ts';
import { textOf } from '../source-values.ts';

interface CrontabContext {
  /** The value of `SHELL`: the shell that runs the command. */
  readonly shell: string;
  /** The home directory, as `working_dir` of a manifest. */
  readonly home: string;
}

const NAMED: Readonly<Record<string, string>> = {
  '@yearly': '0 0 1 1 *',
  '@annually': '0 0 1 1 *',
  '@monthly': '0 0 1 * *',
  '@weekly': '0 0 * * 0',
  '@daily': '0 0 * * *',
  '@midnight': '0 0 * * *',
  '@hourly': '0 * * * *',
};

const timesOf = (times: string): Translation => {
  if (times === '@reboot')
    return {
      keys: { restart_policy: 'never' },
      changed: 'the command runs when the supervisor starts; sup boot install starts that at boot',
    };
  const named = NAMED[times];
  if (named !== undefined) return { keys: { 'cron.expression': named } };
  if (times.startsWith('@')) throw new RangeError(`${times} is not a time that cron knows`);
  const { expression, needsBoth } = cronTimes(times.split(' '));
  return {
    keys: { 'cron.expression': expression },
    ...(needsBoth && {
      lost: 'cron runs it on days that match both fields of days, sup on days that match one; test one of them in the command',
    }),
  };
};

/**
 * Returns the command, and the lines of its standard input. In a crontab, the first `%` ends the command, and
 * each further `%` ends a line of input. `\%` is a percent sign.
 */
const commandAndInput = (line: string): readonly [string, readonly string[]] => {
  const [command = '', ...input] = line
    .replaceAll(String.raw`\%`, '\uE000')
    .split('%')
    .map((part) => part.replaceAll('\uE000', '%'));
  return [command, input];
};

const commandOf = (line: string, { shell }: CrontabContext): Translation => {
  const [command, input] = commandAndInput(line);
  const whole =
    input.length === 0 ? command : `printf '%s\\n' ${input.map(shellWord).join(' ')} | (${command}\n)`;
  return {
    keys: shell === '/bin/sh' ? { command: literalText(whole) } : { exec: [shell, '-c', whole] },
  };
};

export const CRONTAB_ROWS: readonly KeyRow<CrontabContext, never>[] = [
  {
    theirs: 'five fields',
    also: ['@reboot', ...Object.keys(NAMED)],
    ours: ['cron.expression', 'restart_policy'],
    note: 'The times stay the same. `@reboot` becomes a service that runs once, when the supervisor starts. If cron runs a job only on days that match both day fields, because one of them is a star with a step, an expression of `sup` cannot have this meaning.',
    read: ({ value }) => timesOf(textOf(value)),
  },
  {
    theirs: 'user',
    ours: ['user'],
    note: 'Only a crontab of the system has this field. It needs `sup start --sys`, which also sets `HOME`, `LOGNAME` and `USER`.',
    read: ({ value }) => ({ keys: { user: textOf(value) } }),
  },
  {
    theirs: 'command',
    also: ['%'],
    ours: ['command', 'exec'],
    note: 'If `SHELL` is not `/bin/sh`, the line becomes an `exec` with this shell. Text after `%` becomes the standard input of the command.',
    read: ({ value }, context) => commandOf(textOf(value), context),
  },
  {
    theirs: 'HOME',
    ours: ['working_dir', 'env.vars'],
    note: 'Jobs run in the home directory.',
    read: unneeded,
    absent: ({ home }) => ({ keys: { working_dir: home } }),
  },
  {
    theirs: 'SHELL',
    also: ['PATH', 'LOGNAME', 'other variables'],
    ours: ['env.vars', 'env.clean'],
    note: 'The service gets `env.clean: true`, the variables that cron sets (`PATH` is `/usr/bin:/bin`), and the variables above the line of the job.',
    read: unneeded,
  },
  {
    theirs: 'CRON_TZ',
    ours: ['cron.timezone'],
    note: "The meaning is that of cronie. Debian's cron does not know this variable and uses the time zone of the machine.",
    read: ({ value }) => ({ keys: { 'cron.timezone': textOf(value) } }),
  },
  {
    theirs: 'RANDOM_DELAY',
    ours: ['cron.jitter'],
    note: 'A variable of cronie. The value is in minutes.',
    read: ({ value }) =>
      /^\d+$/.test(textOf(value)) ? { keys: { 'cron.jitter': `${textOf(value)}m` } } : {},
  },
  {
    theirs: 'MAILTO',
    ours: [],
    note: '`sup logs` shows the output, and [`alerts`](alerts.md) send messages about failed runs. An empty `MAILTO` needs no counterpart.',
    read: ({ value }) =>
      textOf(value) === ''
        ? {}
        : {
            lost: `sup mails no output to ${textOf(value)}; sup logs shows it, and alerts tell of failed runs`,
          },
  },
  {
    theirs: 'MAILFROM',
    also: ['CONTENT_TYPE', 'CONTENT_TRANSFER_ENCODING'],
    ours: [],
    read: lost('sup mails no output; sup logs shows it'),
  },
];
