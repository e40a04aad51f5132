// Table rows that translate the settings of systemd's timers to `cron`, and back.
import { cronTimes } from '../../../streams/cron/expression-fields.ts';
import { calendarTexts, cronText, readCalendar } from '../calendar-events.ts';
import {
  linesOf,
  lostRow,
  orLost,
  textOf,
  unneededRow,
  written,
  type UnitContext,
  type UnitExport,
  type UnitRow,
} from '../unit-context.ts';
import { isNo, isYes, spanOf, spanText } from '../unit-values.ts';
import { type Setting, type Translation } from '../../key-table.ts';
import { durationText } from '../../manifest-text.ts';

const calendar = (setting: Setting): Translation => {
  const [first = '', ...others] = linesOf(setting);
  const event = readCalendar(first);
  if ('refusal' in event) return { lost: `${first}: ${event.refusal}` };
  const more =
    others.length === 0
      ? {}
      : {
          lost: `cron has one expression: ${others.join(' and ')} is left out; declare the service again for it`,
        };
  return {
    keys: {
      'cron.expression': cronText(event.times),
      ...(event.timezone !== undefined && {
        'cron.timezone': event.timezone === 'UTC' ? 'utc' : event.timezone,
      }),
    },
    ...more,
  };
};

/**
 * Periods that have a cron expression. A row has the unit of the period, the time that the period must
 * divide, both in ms, and a function that makes the expression.
 */
const PERIODS = [
  [1000, 60_000, (count: number) => `*/${count} * * * * *`],
  [60_000, 3_600_000, (count: number) => `*/${count} * * * *`],
  [3_600_000, 86_400_000, (count: number) => `0 */${count} * * *`],
  [86_400_000, 86_400_000, () => '0 0 * * *'],
  [604_800_000, 604_800_000, () => '0 0 * * 0'],
] as const;

/**
 * Returns the cron expression for a period; `undefined` if the period does not divide a minute, an hour or a
 * day, and is not a week.
 */
const periodText = (length: number): string | undefined => {
  const found = PERIODS.findLast(
    ([unit, whole]) => length >= unit && length % unit === 0 && whole % length === 0,
  );
  return found?.[2](length / found[0]).replaceAll('*/1 ', '* ');
};

const period = (setting: Setting, { values }: UnitContext): Translation => {
  if (values('OnCalendar').length > 0) return { lost: 'cron has one expression, and OnCalendar= gives it' };
  return orLost(
    periodText(spanOf(textOf(setting)) ?? 0),
    `no cron expression repeats every ${textOf(setting)}`,
    (expression) => ({
      keys: { 'cron.expression': expression },
      changed: `runs come at fixed times of the clock (${expression}), not ${textOf(setting)} after the run before`,
    }),
  );
};

const expressionWritten = ({ spec: { cron } }: UnitExport): Translation => {
  const times = cron && cronTimes(cron.expression);
  if (cron === undefined) return {};
  if (times === undefined)
    return {
      lost: `no calendar event is made of ${cron.expression}, which counts weekdays in the month: write OnCalendar= by hand`,
    };
  return { keys: { 'Timer.OnCalendar': calendarTexts(times, cron.timezone) } };
};

const NOT_AT_START = 'a schedule has fixed times; hooks and sup start can run the program at a start';

export const TIMER_ROWS: readonly UnitRow[] = [
  {
    theirs: 'OnCalendar',
    ours: ['cron.expression', 'cron.timezone'],
    note: 'These are lost: years, fractions of a second, days counted from the end of the month (except the last day), and conditions on both the day of the month and the day of the week.',
    read: calendar,
    write: expressionWritten,
  },
  {
    theirs: 'OnUnitActiveSec',
    also: ['OnUnitInactiveSec'],
    ours: ['cron.expression'],
    note: 'Is imported if the time divides a minute, an hour or a day.',
    read: period,
  },
  lostRow('OnBootSec OnActiveSec OnStartupSec', NOT_AT_START),
  {
    theirs: 'Persistent',
    ours: ['cron.catch_up'],
    note: 'It becomes `once`: one run, even if several times were missed.',
    read: (setting) => (isYes(textOf(setting)) ? { keys: { 'cron.catch_up': 'once' } } : {}),
    write: ({ spec: { cron } }) => (cron?.catchUp === 'once' ? { keys: { 'Timer.Persistent': 'yes' } } : {}),
  },
  {
    theirs: 'RandomizedDelaySec',
    ours: ['cron.jitter'],
    note: 'The delay is the same for the same service and time.',
    read: (setting) =>
      orLost(spanOf(textOf(setting)), 'it is no time span', (length) =>
        length === 0 ? {} : { keys: { 'cron.jitter': durationText(length) } },
      ),
    write: ({ spec: { cron } }) =>
      written('Timer.RandomizedDelaySec', cron?.jitter === undefined ? undefined : spanText(cron.jitter)),
  },
  {
    theirs: 'AccuracySec',
    ours: [],
    note: '`sup` begins runs exactly at their time, so `1s` is exported.',
    read: () => ({}),
    write: ({ spec: { cron } }) => (cron === undefined ? {} : { keys: { 'Timer.AccuracySec': '1s' } }),
  },
  {
    theirs: 'overlap',
    ours: ['cron.overlap'],
    note: 'A timer does not start a unit that runs; `queue` is lost.',
    write: ({ spec: { cron } }) =>
      cron?.overlap === 'queue' ? { lost: 'a time that comes while the unit runs is left out' } : {},
  },
  unneededRow('Unit RemainAfterElapse', 'Names the service of the timer.'),
  unneededRow('FixedRandomDelay', 'The delay is always the same for the same service and time.'),
  lostRow(
    'WakeSystem OnClockChange OnTimezoneChange',
    'sup wakes no machine, and a change of the clock starts nothing',
    isNo,
  ),
];
