// The file `.env` beside a Procfile, as foreman reads and writes it.
import { parseEnvFile } from '../../streams/env/parse-env-file.ts';

type Variables = Readonly<Record<string, string>>;

/**
 * Returns the value without its quotes. In double quotes, `\n` is a line break and `\"` a quote. In single
 * quotes, every character stands for itself.
 */
const valueOf = (text: string): string => {
  if (text.length > 1 && text.startsWith("'") && text.endsWith("'")) return text.slice(1, -1);
  if (text.length > 1 && text.startsWith('"') && text.endsWith('"'))
    return text
      .slice(1, -1)
      .replaceAll(String.raw`\n`, '\n')
      .replaceAll(/\\(.)/g, '$1');
  return text;
};

/** Returns the variables of a file. As in foreman, a line that is not `NAME=value` is ignored. */
const foremanVariables = (text: string): Variables =>
  Object.fromEntries(
    text.split('\n').flatMap((line) => {
      const [, name, value] = /^(\w+)=(.*)$/.exec(line) ?? [];
      return name === undefined || value === undefined ? [] : [[name, valueOf(value)]];
    }),
  );

export interface ForemanEnv {
  readonly variables: Variables;
  /** True if the key `env.file` of `sup` reads the same variables from the file as foreman. */
  readonly isSame: boolean;
}

/** Reads a file as foreman does, and finds out whether `sup` reads the same variables. */
export const readForemanEnv = (text: string): ForemanEnv => {
  const variables = foremanVariables(text);
  const { vars, faults } = parseEnvFile(text);
  const names = new Set([...Object.keys(vars), ...Object.keys(variables)]);
  const isSame = faults.length === 0 && [...names].every((name) => vars[name] === variables[name]);
  return { variables, isSame };
};

/** Returns a line of the file. Single quotes protect all characters except a line break. */
export const foremanLine = (name: string, value: string): string => {
  if (value.includes('\n'))
    return `${name}="${value.replaceAll(/[\\"]/g, String.raw`\$&`).replaceAll('\n', String.raw`\n`)}"`;
  return /^[\w@%+=:,./-]*$/.test(value) ? `${name}=${value}` : `${name}='${value}'`;
};
