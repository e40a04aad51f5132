// Decodes `cron` (`docs/manifest.md`, "cron"). Expression and time zone are checked separately, so that a
// mistake is reported at the key that has it (ERR0221).
// Rules: `docs/behaviour.md`, "Schedules", "The expression".
import { cronProblem } from '../../streams/cron/cron-expression.ts';
import { reportAt, spotBelow } from './shapes/decoder.ts';
import { positiveDuration } from './scalars/durations.ts';
import { defaulted, optional, required } from './shapes/fields.ts';
import { object } from './shapes/object.ts';
import { choice, text } from './scalars/text.ts';
import { OTHER_CRON_WORDS } from './key-hints.ts';

const ANY_TIME = '* * * * *';

/** Short forms of other cron programs, and what to write instead. */
const SHORT_FORMS: Readonly<Record<string, string>> = {
  '@yearly': 'write "0 0 1 1 *"',
  '@annually': 'write "0 0 1 1 *"',
  '@monthly': 'write "0 0 1 * *"',
  '@weekly': 'write "0 0 * * 0"',
  '@daily': 'write "0 0 * * *"',
  '@midnight': 'write "0 0 * * *"',
  '@hourly': 'write "0 * * * *"',
  '@reboot': 'leave cron out: a service starts with its project',
};

const hintFor = (expression: string): string | undefined =>
  new Map(Object.entries(SHORT_FORMS)).get(expression.trim().toLowerCase());

/** Decodes `overlap`, with advice for the words that other programs use. */
const overlap = choice(['skip', 'queue'], {
  forbid: 'write skip',
  wait: 'write queue',
  allow: 'two runs of a service never overlap; skip or queue decides about the later one',
});

const catchUp = choice(['none', 'once'], {
  true: 'write once',
  false: 'write none',
  all: 'several missed times get one run: once',
});

export const cron = object({
  name: 'cron',
  elsewhere: OTHER_CRON_WORDS,
  hint: 'write cron: { expression: "0 3 * * *" }',
  fields: {
    expression: required(text, 'When to run: five or six fields; five run at second 0.'),
    timezone: defaulted(text, 'local', 'IANA name, `utc` or `local`.'),
    timeout: optional(
      positiveDuration,
      'Maximum length of a run. After this time all its processes are stopped: by `stop_signal`, and after `stop_timeout` by SIGKILL.',
      'no limit',
    ),
    overlap: defaulted(
      overlap,
      'skip',
      'What happens at a scheduled time while a run is alive: `skip` it, or `queue` one run that begins after it.',
    ),
    catch_up: defaulted(
      catchUp,
      'none',
      'What happens with scheduled times at which no supervisor ran: no run (`none`), or one run (`once`) when a supervisor runs again.',
    ),
    jitter: optional(
      positiveDuration,
      'A run begins up to this long after its time. The delay is the same for the same service and time.',
      'no delay',
    ),
  },
  check: ({ expression, timezone }, spot, context) => {
    const problems = {
      expression: cronProblem(expression, 'utc'),
      timezone: cronProblem(ANY_TIME, timezone),
    };
    for (const [key, message] of Object.entries(problems))
      if (message !== undefined)
        reportAt(spotBelow(spot, key), context, { code: 'ERR0221', message, hint: hintFor(expression) });
  },
});
