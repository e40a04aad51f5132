// Expands `%(name)s` as Python does it for supervisord. A variable of the environment that is known only when
// the program starts becomes `${NAME}`. The other text is escaped for the manifest.
import { ownValue } from '../key-table.ts';
import { literalText } from '../manifest-text.ts';

/** The values by their names. The conversions `d`, `x` and `o` need a number. */
export type Expansions = Readonly<Record<string, string | number>>;

/** Returns variables of the environment as values of `%(ENV_NAME)s`. */
export const variables = (environment: Readonly<Record<string, string>>): Expansions =>
  Object.fromEntries(Object.entries(environment).map(([name, value]) => [`ENV_${name}`, value]));

/** An expanded text. Variables of the environment without a known value are marked. */
type MarkedText = string;

const MARKED = /\uE000(\w+)\uE001/g;

/** True if the text has a marked variable. */
export const isMarked = (text: MarkedText): boolean => text.includes('\uE000');

/** Returns a value of a manifest, with `${NAME}` for each marked variable. */
export const manifestValue = (text: MarkedText): string => {
  let end = 0;
  let result = '';
  for (const { 0: whole, 1: name = '', index } of text.matchAll(MARKED)) {
    result += `${literalText(text.slice(end, index))}\${${name}}`;
    end = index + whole.length;
  }
  return result + literalText(text.slice(end));
};

const FORMAT = /%(?:%|\(([^()]*)\)([-+ #0]*)(\d{0,4})(?:\.(\d{1,4}))?([a-zA-Z]))|%/g;

const digits = (value: number, flags: string, conversion: string): string => {
  const radix = { x: 16, X: 16, o: 8 }[conversion] ?? 10;
  const prefix = flags.includes('#') ? ({ x: '0x', X: '0X', o: '0o' }[conversion] ?? '') : '';
  const text = prefix + value.toString(radix);
  if (conversion === 'X') return text.toUpperCase();
  return flags.includes('+') ? `+${text}` : text;
};

const padded = (text: string, flags: string, width: number): string => {
  if (flags.includes('-')) return text.padEnd(width);
  return text.padStart(width, flags.includes('0') ? '0' : ' ');
};

interface Format {
  readonly flags: string;
  readonly width: number;
  /**
   * The precision: the greatest number of characters of a text. It is written as digits, and is `undefined`
   * if there is no limit.
   */
  readonly most: string | undefined;
  readonly kind: string;
}

const valueNamed = (name: string, expansions: Expansions): string | number => {
  const value = ownValue(expansions, name);
  if (value !== undefined) return value;
  if (/^ENV_\w+$/.test(name)) return `\uE000${name.slice(4)}\uE001`;
  throw new RangeError(`%(${name}) is not a value that supervisord knows`);
};

/** Returns the text of a value in a format. Throws a `RangeError` if the value does not fit the format. */
const formatted = (value: string | number, { flags, width, most, kind }: Format): string => {
  if (/[sr]/.test(kind)) {
    const text = String(value).slice(0, most === undefined ? undefined : Number(most));
    return padded(text, flags.replace('0', ''), width);
  }
  if (!/[dioxXu]/.test(kind) || typeof value !== 'number')
    throw new RangeError(`"${String(value)}" cannot be written with %${kind}`);
  return padded(digits(value, flags, kind), flags, width);
};

/**
 * Expands all `%(name)s` of a text. Marks an `ENV_NAME` without a known value. Throws a `RangeError` for a
 * text that supervisord would refuse.
 */
export const expanded = (text: string, expansions: Expansions): MarkedText =>
  text.replaceAll(FORMAT, (...groups: (string | undefined)[]) => {
    const [whole, name, flags = '', width = '', most, kind = ''] = groups;
    if (whole === '%%') return '%';
    if (name === undefined) throw new RangeError('a % must be written as %%');
    return formatted(valueNamed(name, expansions), { flags, width: Number(width), most, kind });
  });

/** Matches a part of a command line: quoted, escaped or plain. supervisord splits a command line itself. */
const PART = /'[^']*'|"(?:\\[^]|[^"\\])*"|\\[^]|[^'"\\]+/g;

/**
 * Returns the part with a backslash before each character that `sh` would interpret, but supervisord does
 * not.
 */
const partForShell = (part: string): string => {
  if (part.startsWith("'")) return part;
  if (part.startsWith('"'))
    return part.replaceAll(/\\(["\\])|[\\$`]/g, (found, escaped?: string) =>
      escaped === undefined ? `\\${found}` : found,
    );
  if (part === '\\\n') return "'\n'";
  if (part.startsWith('\\')) return part;
  return part.replaceAll('\n', ' ').replaceAll(/[$`;&|<>()*?[\]~#!{}]/g, String.raw`\$&`);
};

/** Returns a `command` for a manifest. `sh` splits it into the same words as supervisord splits `line`. */
export const shellLine = (line: MarkedText): string =>
  manifestValue(line.trim().replaceAll(PART, partForShell));
