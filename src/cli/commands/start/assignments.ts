// Splits the words after `--` into variables and the command that gets them.
import { usageError } from '../../grammar/usage.ts';

const ASSIGNMENT = /^([A-Za-z_][A-Za-z0-9_]*)=([^]*)$/;

export interface Line {
  readonly vars: Readonly<Record<string, string>>;
  readonly argv: readonly string[];
}

/** Reads `VAR=x cmd` like env(1): assignments before the program are variables. Throws without a program. */
export const readLine = (words: readonly string[]): Line => {
  const at = words.findIndex((word) => !ASSIGNMENT.test(word));
  if (at === -1)
    throw usageError('there are variables behind --, and no command', 'sup start -- VAR=x command…');
  const vars = words.slice(0, at).map((word) => {
    const [, name = '', value = ''] = ASSIGNMENT.exec(word) ?? [];
    return [name, value] as const;
  });
  return { vars: Object.fromEntries(vars), argv: words.slice(at) };
};
