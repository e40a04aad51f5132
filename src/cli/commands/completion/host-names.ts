// Names of machines for the completion of `--host`: those that the user's ssh knows.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Returns the text of the file, or an empty text if the file cannot be read. */
const textOf = (file: string): string => {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
};

const isPattern = (name: string): boolean => /[*?!]/.test(name);

/** Returns the names and patterns after `Host` in a configuration of ssh. */
const configured = (text: string): readonly string[] =>
  text.split('\n').flatMap((line) => {
    const [keyword = '', ...names] = line.trim().split(/[\s=]+/);
    return keyword.toLowerCase() === 'host' ? names.map((name) => name.replaceAll('"', '')) : [];
  });

/** Converts `[box]:2222` to a destination with a port. */
const destination = (name: string): string => name.replace(/^\[(.+)\]:(\d+)$/, 'ssh://$1:$2');

/** Returns the names in `known_hosts`. Leaves out hashed names, comments, and lines that begin with `@`. */
const recorded = (text: string): readonly string[] =>
  text.split('\n').flatMap((line) => {
    const [names = ''] = line.trim().split(/\s/);
    return /^[|@#]/.test(names) ? [] : names.split(',').map(destination);
  });

/** Returns the machines that `~/.ssh/config` and `~/.ssh/known_hosts` name. */
export const hostsOffered = ({ HOME }: Readonly<Record<string, string>>): readonly string[] => {
  if (HOME === undefined || HOME === '') return [];
  const own = (file: string): string => textOf(join(HOME, '.ssh', file));
  const all = [...configured(own('config')), ...recorded(own('known_hosts'))];
  return [...new Set(all.filter((name) => name !== '' && !isPattern(name)))];
};
