// Converts values of supervisord to values of a manifest. Each function throws a `RangeError` for a value
// that supervisord refuses.
import type { Plain } from '../key-table.ts';
import { signalName } from '../source-values.ts';

/** Returns the text of a setting. All values of this format are text. */
export const valueText = (value: Plain): string => (typeof value === 'string' ? value : '');

export const wholeNumber = (text: string): number => {
  const number = Number(text.trim().replaceAll('_', ''));
  if (!/^\s*[+-]?\d+(?:_\d+)*\s*$/.test(text) || !Number.isSafeInteger(number))
    throw new RangeError(`"${text}" is not a whole number`);
  return number;
};

export const truth = (text: string): boolean => {
  const letters = text.toLowerCase();
  if (['yes', 'true', 'on', '1'].includes(letters)) return true;
  if (['no', 'false', 'off', '0'].includes(letters)) return false;
  throw new RangeError(`"${text}" is not true or false`);
};

/** Returns a size for a manifest: `50M` for `50MB`. */
export const sizeIn = (text: string): string | number => {
  const [, number, unit] = /^\s*(\d+)\s*([kmg]b)?$/i.exec(text) ?? [];
  if (number === undefined) throw new RangeError(`"${text}" is not a size such as 50MB`);
  return unit === undefined ? Number(number) : `${Number(number)}${unit.charAt(0).toUpperCase()}`;
};

/** Returns the name of a signal that is written as its name or number. */
export const signalIn = (text: string): string => {
  const found = signalName(text);
  if (found === undefined) throw new RangeError(`"${text}" is not a signal`);
  return found;
};

/** Returns an octal mask with the digits that a manifest needs: `022` for `22`. */
export const maskText = (text: string): string => {
  const digits = text.trim().replace(/^0o?/i, '').padStart(3, '0');
  if (!/^[0-7]{3,4}$/.test(digits)) throw new RangeError(`"${text}" is not a mask such as 022`);
  return digits;
};

/** Returns the exit statuses of a list: `0,2`. */
export const exitStatuses = (text: string): readonly number[] => {
  const codes = text === '' ? [] : text.split(',').map(wholeNumber);
  if (codes.some((code) => code < 0 || code > 255)) throw new RangeError('an exit status is 0 to 255');
  return codes;
};

/** Returns what a file name for output means. `none`, `auto` and `syslog` are no paths. */
export const logTarget = (text: string): 'none' | 'auto' | 'syslog' | 'path' => {
  const letters = text.toLowerCase();
  if (letters === 'none' || letters === 'off') return 'none';
  return letters === 'auto' || letters === 'syslog' ? letters : 'path';
};
