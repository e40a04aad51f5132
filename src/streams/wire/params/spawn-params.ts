// Checks the parameters of the command `spawn`. A program of a service sends this command. Such programs are
// not trusted.
import type { Command } from '../../domain/command.ts';
import { NAME_PATTERN } from '../../domain/ids.ts';
import type { ChildOrder } from '../../domain/service/child.ts';
import { ms, type Ms } from '../../domain/time.ts';
import {
  accept,
  checkFields,
  checkText,
  refuse,
  shown,
  type Checked,
  type Fields,
} from './checked-fields.ts';

const KEYS = ['name', 'ttl', 'argv', 'unit'];
/** The maximum number of words in the command line of a child. */
const MOST_WORDS = 10_000;
/** The maximum number of characters in one word. A word may be a whole script. */
const LONGEST_WORD = 128 * 1024;
/** The longest time to live of a child in ms: a hundred years. */
const LONGEST_TTL = 100 * 366 * 86_400_000;

const checkName = (value: unknown): Checked<string | undefined> => {
  if (value === undefined) return accept(undefined);
  return typeof value === 'string' && NAME_PATTERN.test(value)
    ? accept(value)
    : refuse(`params.order.name: ${shown(value)} is not a name: letters, digits, _ . -, at most 64`);
};

const checkTtl = (value: unknown): Checked<Ms | undefined> => {
  if (value === undefined) return accept(undefined);
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 && value <= LONGEST_TTL
    ? accept(ms(value))
    : refuse(`params.order.ttl: ${shown(value)} is not a length of time`);
};

const isWord = (word: unknown): word is string =>
  typeof word === 'string' && word.length <= LONGEST_WORD && !word.includes('\0');

const checkWords = (value: unknown): Checked<readonly string[]> => {
  if (!Array.isArray(value) || value.length === 0 || value.length > MOST_WORDS || value[0] === '')
    return refuse('params.order.argv: is not a command');
  const words = value.filter(isWord);
  return words.length === value.length
    ? accept(words)
    : refuse('params.order.argv: a word is too long, or no text, or contains a NUL character');
};

const checkUnit = (value: unknown): Checked<string | undefined> =>
  value === undefined ? accept(undefined) : checkText(value, 'params.order.unit');

const checkOptions = ({ name, ttl, unit }: Fields): Checked<Omit<ChildOrder, 'argv'>> => {
  const [one, two, three] = [checkName(name), checkTtl(ttl), checkUnit(unit)];
  if (!one.ok) return one;
  if (!two.ok) return two;
  if (!three.ok) return three;
  return accept({
    ...(one.value !== undefined && { name: one.value }),
    ...(two.value !== undefined && { ttl: two.value }),
    ...(three.value !== undefined && { unit: three.value }),
  });
};

const checkOrder = (value: unknown): Checked<ChildOrder> => {
  const fields = checkFields(value, 'params.order', KEYS);
  if (!fields.ok) return fields;
  const argv = checkWords(fields.value['argv']);
  if (!argv.ok) return argv;
  const options = checkOptions(fields.value);
  return options.ok ? accept({ ...options.value, argv: argv.value }) : options;
};

/** Returns the checked request for a child. None of its keys can ask for privileges. */
export const checkSpawn = (value: unknown): Checked<Command> => {
  const fields = checkFields(value, 'params', ['type', 'order']);
  if (!fields.ok) return fields;
  const order = checkOrder(fields.value['order']);
  return order.ok ? accept({ type: 'spawn', order: order.value }) : order;
};
