// Translates the five time fields of a crontab line to a cron expression of `sup` with the same times.

interface Field {
  readonly name: string;
  readonly first: number;
  readonly last: number;
  /** The names of the values. The first name belongs to the value `first`. */
  readonly names: readonly string[];
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const DAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];

const FIELDS: readonly Field[] = [
  { name: 'minute', first: 0, last: 59, names: [] },
  { name: 'hour', first: 0, last: 23, names: [] },
  { name: 'day of month', first: 1, last: 31, names: [] },
  { name: 'month', first: 1, last: 12, names: MONTHS },
  { name: 'day of week', first: 0, last: 7, names: DAYS },
];

const valueOf = (text: string, { name, first, last, names }: Field): number => {
  const named = names.indexOf(text.toLowerCase());
  const value = named === -1 ? Number(text) : named + first;
  if (!/^\w+$/.test(text) || !(value >= first && value <= last))
    throw new RangeError(`"${text}" is not a ${name} from ${first} to ${last}`);
  return value;
};

const PART = /^(?:\*|(\w+)(?:-(\w+))?)(?:\/(\d+))?$/;

/** True for a step of 0, and for a step after a single value, such as `5/2`. */
const hasBadStep = ([, from, to, step]: RegExpExecArray): boolean =>
  step !== undefined && (Number(step) < 1 || (from !== undefined && to === undefined));

/** Returns the first and the last value of an item of a field, and its step. */
const spanOf = (part: string, field: Field): readonly [number, number, number] => {
  const found = PART.exec(part);
  if (found === null || hasBadStep(found)) throw new RangeError(`"${part}" is not a ${field.name}`);
  const [, from, to = from, written] = found;
  const step = Number(written ?? 1);
  if (from === undefined || to === undefined) return [field.first, field.last, step];
  return [valueOf(from, field), valueOf(to, field), step];
};

/** Returns the values of an item of a field: `5`, `1-5`, `1-9/2`, or a star with or without a step. */
const partValues = (part: string, field: Field): readonly number[] => {
  const [begin, end, step] = spanOf(part, field);
  if (end < begin) throw new RangeError(`"${part}" ends before it begins, so it never comes`);
  const count = Math.floor((end - begin) / step) + 1;
  return Array.from({ length: count }, (_, index) => begin + index * step);
};

interface ReadField {
  readonly text: string;
  /** True if cron treats the field as unrestricted: it begins with a star, with or without a step. */
  readonly isOpen: boolean;
  readonly isWhole: boolean;
}

const readField = (text: string, field: Field): ReadField => {
  const values = new Set(text.split(',').flatMap((part) => partValues(part, field)));
  if (field.last === 7 && values.delete(7)) values.add(0);
  const isWhole = values.size === (field.last === 7 ? 7 : field.last - field.first + 1);
  const sorted = [...values].sort((one, other) => one - other);
  const isPlain = /^[\d*,/-]+$/.test(text) && !text.includes('7') && sorted.length > 1;
  return { text: isWhole ? '*' : isPlain ? text : sorted.join(','), isOpen: text.startsWith('*'), isWhole };
};

interface CronTimes {
  readonly expression: string;
  /**
   * True if cron runs only on days that match both day fields. The returned expression cannot express this.
   */
  readonly needsBoth: boolean;
}

/**
 * Returns the two day fields. If neither field begins with a star, cron runs on each day that matches at
 * least one of them. So cron runs every day if one of the fields has all values.
 */
const daysOf = (day: ReadField, weekday: ReadField): readonly [string, string] =>
  !day.isOpen && !weekday.isOpen && (day.isWhole || weekday.isWhole) ? ['*', '*'] : [day.text, weekday.text];

const restrictsBoth = (day: ReadField, weekday: ReadField): boolean => !day.isWhole && !weekday.isWhole;

/**
 * Returns the expression for five fields. Throws a `RangeError` for a field that cron refuses, or that never
 * matches.
 */
export const cronTimes = (fields: readonly string[]): CronTimes => {
  const [minute, hour, day, month, weekday] = FIELDS.map((field, index) =>
    readField(fields[index] ?? '', field),
  ) as [ReadField, ReadField, ReadField, ReadField, ReadField];
  const [ofMonth, ofWeek] = daysOf(day, weekday);
  return {
    expression: [minute.text, hour.text, ofMonth, month.text, ofWeek].join(' '),
    needsBoth: restrictsBoth(day, weekday) && (day.isOpen || weekday.isOpen),
  };
};
