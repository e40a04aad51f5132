// Writes command lines for unit files.
import { resolve } from 'node:path';
import type { ServiceSpec } from '../../streams/domain/declared/spec.ts';
import { unitWord } from './unit-words.ts';

/** Quotes an argument, in which systemd replaces nothing. */
const argument = (word: string): string => unitWord(word.replaceAll('$', '$$$$'));

/** Returns `/bin/sh -c LINE`; variables of the line are expanded by the shell. */
export const shellCommand = (line: string): string => {
  return `/bin/sh -c ${argument(line).replace(/^([^"].*)$/s, '"$1"')}`;
};

/** True for a name that systemd finds as a program; others get `env` before them. */
const isProgram = (name: string): boolean => /^[\w./]/.test(name);

/** Returns a command line of these arguments. */
export const executable = (
  [name = '', ...others]: readonly string[],
  { workingDir }: ServiceSpec,
): string => {
  const program = name.includes('/') ? resolve(workingDir, name) : name;
  const words = others.map(argument);
  return isProgram(program)
    ? [unitWord(program), ...words].join(' ')
    : ['/usr/bin/env', argument(program), ...words].join(' ');
};
