// Translates calendar events of systemd (systemd.time(7)) to cron expressions, and back. Both are first read
// as a set of numbers for each field.
import type { CronTimes } from '../../streams/cron/expression-fields.ts';
import { ownValue } from '../key-table.ts';

/** The lowest and the highest value of a field. */
type Bounds = readonly [lowest: number, highest: number];

const BOUNDS = {
  second: [0, 59],
  minute: [0, 59],
  hour: [0, 23],
  day: [1, 31],
  month: [1, 12],
  weekday: [0, 6],
} as const satisfies Record<string, Bounds>;

const WEEKDAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];

const SHORTHANDS: Readonly<Record<string, string>> = {
  minutely: '*-*-* *:*:00',
  hourly: '*-*-* *:00:00',
  daily: '*-*-* 00:00:00',
  weekly: 'Mon *-*-* 00:00:00',
  monthly: '*-*-01 00:00:00',
  yearly: '*-01-01 00:00:00',
  annually: '*-01-01 00:00:00',
  quarterly: '*-01,04,07,10-01 00:00:00',
  semiannually: '*-01,07-01 00:00:00',
};

const range = (from: number, to: number, step = 1): readonly number[] =>
  step < 1
    ? []
    : Array.from({ length: Math.max(0, Math.floor((to - from) / step) + 1) }, (_, at) => from + at * step);

interface Part {
  readonly from: string;
  readonly to: string | undefined;
  readonly step: string | undefined;
}

/** Returns the first and the last value of an item of a field. */
const spanIn = ({ from, to, step }: Part, [lowest, highest]: Bounds): Bounds => {
  const start = from === '*' ? lowest : Number(from);
  if (to !== undefined) return [start, Number(to)];
  return [start, from === '*' || step !== undefined ? highest : start];
};

/**
 * Returns the values of an item of a field, `*`, `5`, `1..5`, `0/15` or `0..30/10`; `undefined` for other
 * text.
 */
const partValues = (part: string, bounds: Bounds): readonly number[] | undefined => {
  const [, from, to, step] = /^(\*|\d+)(?:\.\.(\d+))?(?:\/(\d+))?$/.exec(part) ?? [];
  if (from === undefined) return undefined;
  const [start, end] = spanIn({ from, to, step }, bounds);
  const values = start < bounds[0] || end > bounds[1] ? [] : range(start, end, Number(step ?? 1));
  return values.length === 0 ? undefined : values;
};

const sorted = (values: readonly number[]): readonly number[] =>
  [...new Set(values)].sort((one, other) => one - other);

const fieldValues = (text: string, bounds: Bounds): readonly number[] | undefined => {
  const parts = text.split(',').map((part) => partValues(part, bounds));
  return parts.some((part) => part === undefined) ? undefined : sorted(parts.flatMap((part) => part ?? []));
};

const weekdayNumber = (name: string): number => WEEKDAYS.indexOf(name.slice(0, 3).toLowerCase());

const weekdayValues = (text: string): readonly number[] | undefined => {
  const parts = text.split(',').map((part) => {
    const [from = '', to = from] = part.split(/\.\.|-/);
    const [start, end] = [weekdayNumber(from), weekdayNumber(to)];
    if (start === -1 || end === -1) return undefined;
    return range(start, end < start ? end + 7 : end).map((day) => day % 7);
  });
  return parts.some((part) => part === undefined) ? undefined : sorted(parts.flatMap((part) => part ?? []));
};

const DATE = String.raw`(?:(?<year>[\d*.,/]+)-)?(?<month>[\d*.,/]+)(?<tilde>[-~])(?<day>[\d*.,/]+)`;
const TIME = String.raw`(?<hour>[\d*.,/]+):(?<minute>[\d*.,/]+)(?::(?<second>[\d*.,/]+))?`;
const EVENT = new RegExp(
  String.raw`^(?:(?<weekday>[A-Za-z.,-]+)(?:\s+|$))?(?:${DATE}(?:\s+|T|$))?(?:${TIME})?$`,
);

interface CalendarEvent {
  readonly times: CronTimes;
  readonly timezone?: string;
}

/** The reason why an event has no cron expression. */
interface NoEvent {
  readonly refusal: string;
}

const refusal = (text: string): NoEvent => ({ refusal: text });

type Groups = Readonly<Record<string, string | undefined>>;

const dayOf = ({ tilde, day = '*' }: Groups): Pick<CronTimes, 'day' | 'isLastDay'> | undefined => {
  if (tilde === '~') return { day: [], isLastDay: true };
  const values = fieldValues(day, BOUNDS.day);
  return values && { day: values, isLastDay: false };
};

const isEvery = (values: readonly number[], [lowest, highest]: Bounds): boolean =>
  values.length === highest - lowest + 1;

/** Returns the reason why no cron expression has these fields; `undefined` if an expression may have them. */
const partRefusal = ({ year, second, tilde, day }: Groups): string | undefined => {
  if (year !== undefined && year !== '*') return 'a cron expression has no year';
  if (/\d\.\d/.test(second ?? '')) return 'a cron expression has no parts of a second';
  return tilde === '~' && !/^0?1$/.test(day ?? '')
    ? 'a cron expression counts days from the end of the month only with L, the last day'
    : undefined;
};

const BOTH_DAYS = 'a cron expression runs on the days of the month or of the week, not on days that are both';

const isBoth = ({ day, isLastDay, weekday }: CronTimes): boolean =>
  !isEvery(weekday, BOUNDS.weekday) && (isLastDay || !isEvery(day, BOUNDS.day));

/** The values of the fields that an event does not name. */
const DEFAULTS: Groups = { hour: '0', minute: '0', second: '0', month: '*' };

/** Returns the values of all fields; `undefined` if a field is invalid. */
const fieldsOf = (groups: Groups): CronTimes | undefined => {
  const field = (name: 'second' | 'minute' | 'hour' | 'month'): readonly number[] =>
    fieldValues(groups[name] ?? DEFAULTS[name] ?? '', BOUNDS[name]) ?? [];
  const weekday =
    groups['weekday'] === undefined ? range(...BOUNDS.weekday) : weekdayValues(groups['weekday']);
  const days = dayOf(groups);
  const clock = {
    second: field('second'),
    minute: field('minute'),
    hour: field('hour'),
    month: field('month'),
  };
  const isWhole = Object.values(clock).every(({ length }) => length > 0);
  return isWhole && weekday !== undefined && days !== undefined ? { ...clock, weekday, ...days } : undefined;
};

const timesOf = (groups: Groups): CronTimes | NoEvent => {
  const refused = partRefusal(groups);
  if (refused !== undefined) return refusal(refused);
  const times = fieldsOf(groups);
  if (times === undefined) return refusal('it is no calendar event');
  return isBoth(times) ? refusal(BOTH_DAYS) : times;
};

const ZONE = /^(?:UTC|[A-Z][A-Za-z_]*\/[\w+/-]+)$/;

const eventOf = (text: string): CronTimes | NoEvent => {
  const groups =
    text === '' ? undefined : EVENT.exec(ownValue(SHORTHANDS, text.toLowerCase()) ?? text)?.groups;
  return groups === undefined ? refusal('it is no calendar event that sup import knows') : timesOf(groups);
};

/** Returns the times of a calendar event, or the reason why they have no cron expression. */
export const readCalendar = (text: string): CalendarEvent | NoEvent => {
  const words = text.trim().split(/\s+/);
  const last = words.at(-1) ?? '';
  const hasZone = words.length > 1 && ZONE.test(last);
  const times = eventOf((hasZone ? words.slice(0, -1) : words).join(' '));
  if ('refusal' in times) return times;
  return hasZone ? { times, timezone: last } : { times };
};

/** The syntax of a field: in a cron expression, or in a calendar event. */
interface Spelling {
  readonly to: string;
  /** True if the syntax needs the highest value: `5-59/10` instead of `5/10`. */
  readonly namesEnd: boolean;
  readonly number: (value: number) => string;
}

/**
 * Returns the difference between neighbouring values. Returns `undefined` if the difference varies, or if
 * there are fewer than three values.
 */
const stepOf = (values: readonly number[]): number | undefined => {
  const [first = 0, second = 0] = values;
  const step = second - first;
  return values.length > 2 && values.every((value, at) => value === first + at * step) ? step : undefined;
};

/** Returns the text for values that have a constant step and reach the end of the field. */
const openText = (
  [first, step]: readonly [number, number],
  { to, namesEnd, number }: Spelling,
  [lowest, highest]: Bounds,
): string => {
  if (!namesEnd) return `${number(first)}/${step}`;
  return first === lowest ? `*/${step}` : `${number(first)}${to}${number(highest)}/${step}`;
};

/** Returns the shortest text for the values of a field. */
const fieldText = (values: readonly number[], bounds: Bounds, spelling: Spelling): string => {
  const { to, number } = spelling;
  if (isEvery(values, bounds)) return '*';
  const step = stepOf(values);
  if (step === undefined) return values.map(number).join(',');
  const [first, last] = [Math.min(...values), Math.max(...values)];
  if (step > 1 && last + step > bounds[1]) return openText([first, step], spelling, bounds);
  return `${number(first)}${to}${number(last)}${step === 1 ? '' : `/${step}`}`;
};

const CRON: Spelling = { to: '-', namesEnd: true, number: String };
const CALENDAR: Spelling = { to: '..', namesEnd: false, number: (value) => String(value).padStart(2, '0') };

/** Returns the cron expression: six fields if the second is not always 0, otherwise five. */
export const cronText = ({ second, minute, hour, day, month, weekday, isLastDay }: CronTimes): string => {
  const seconds = second.length === 1 && second[0] === 0 ? [] : [fieldText(second, BOUNDS.second, CRON)];
  return [
    ...seconds,
    fieldText(minute, BOUNDS.minute, CRON),
    fieldText(hour, BOUNDS.hour, CRON),
    isLastDay ? [...day, 'L'].join(',') : fieldText(day, BOUNDS.day, CRON),
    fieldText(month, BOUNDS.month, CRON),
    fieldText(weekday, BOUNDS.weekday, CRON),
  ].join(' ');
};

const weekdayText = (values: readonly number[]): string =>
  values.map((value) => (WEEKDAYS[value] ?? '').replace(/^./, (letter) => letter.toUpperCase())).join(',');

/**
 * Returns the dates of a cron expression. There are several dates if the expression has both days of the
 * month and days of the week.
 */
const datesOf = ({ day, month, weekday, isLastDay }: CronTimes): readonly string[] => {
  const months = fieldText(month, BOUNDS.month, CALENDAR);
  const hasWeekdays = !isEvery(weekday, BOUNDS.weekday);
  const hasDays = day.length > 0 && (!hasWeekdays || !isEvery(day, BOUNDS.day));
  return [
    ...(hasDays ? [`*-${months}-${fieldText(day, BOUNDS.day, CALENDAR)}`] : []),
    ...(isLastDay ? [`*-${months}~01`] : []),
    ...(hasWeekdays ? [`${weekdayText(weekday)} *-${months}-*`] : []),
  ];
};

/** Returns the calendar events that together have the times of an expression. */
export const calendarTexts = (times: CronTimes, timezone: string): readonly string[] => {
  const zone = timezone === 'local' ? '' : ` ${timezone === 'utc' ? 'UTC' : timezone}`;
  const { second, minute, hour } = times;
  const clock = [
    fieldText(hour, BOUNDS.hour, CALENDAR),
    fieldText(minute, BOUNDS.minute, CALENDAR),
    fieldText(second, BOUNDS.second, CALENDAR),
  ].join(':');
  return datesOf(times).map((date) => `${date} ${clock}${zone}`);
};
