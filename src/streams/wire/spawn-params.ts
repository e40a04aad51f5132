// The parameters of `spawn`, checked: they come from within a service, which may be anybody's program.
import type { Command } from '../domain/command.ts';
import { NAME_PATTERN } from '../domain/ids.ts';
import type { ChildOrder } from '../domain/service/child.ts';
import { ms, type Ms } from '../domain/time.ts';
import { accept, checkFields, checkText, refuse, shown, type Checked } from './check.ts';

const KEYS = ['name', 'ttl', 'argv', 'unit'];
/** As much as a frame may hold is far more than a command line. */
const MOST_WORDS = 10_000;
/** A word of a command line may be a whole script. */
const LONGEST_WORD = 128 * 1024;
/** A hundred years. */
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

const checkOrder = (value: unknown): Checked<ChildOrder> => {
  const fields = checkFields(value, 'params.order', KEYS);
  if (!fields.ok) return fields;
  const name = checkName(fields.value['name']);
  if (!name.ok) return name;
  const ttl = checkTtl(fields.value['ttl']);
  if (!ttl.ok) return ttl;
  const argv = checkWords(fields.value['argv']);
  if (!argv.ok) return argv;
  const unit = checkUnit(fields.value['unit']);
  if (!unit.ok) return unit;
  return accept({
    argv: argv.value,
    ...(name.value !== undefined && { name: name.value }),
    ...(ttl.value !== undefined && { ttl: ttl.value }),
    ...(unit.value !== undefined && { unit: unit.value }),
  });
};

export const checkSpawn = (value: unknown): Checked<Command> => {
  const fields = checkFields(value, 'params', ['type', 'order']);
  if (!fields.ok) return fields;
  const order = checkOrder(fields.value['order']);
  return order.ok ? accept({ type: 'spawn', order: order.value }) : order;
};
