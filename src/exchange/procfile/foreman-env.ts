// The file `.env` beside a Procfile, as foreman reads and writes it.
import { parseEnvFile } from '../../streams/env/parse-env-file.ts';

type Variables = Readonly<Record<string, string>>;

/** Returns the value of a line: double quotes know `\n` and `\"`, single quotes nothing. */
const valueOf = (text: string): string => {
  if (text.length > 1 && text.startsWith("'") && text.endsWith("'")) return text.slice(1, -1);
  if (text.length > 1 && text.startsWith('"') && text.endsWith('"'))
    return text
      .slice(1, -1)
      .replaceAll(String.raw`\n`, '\n')
      .replaceAll(/\\(.)/g, '$1');
  return text;
};

/** Returns the variables of a file; foreman ignores lines of another form. */
const foremanVariables = (text: string): Variables =>
  Object.fromEntries(
    text.split('\n').flatMap((line) => {
      const [, name, value] = /^(\w+)=(.*)$/.exec(line) ?? [];
      return name === undefined || value === undefined ? [] : [[name, valueOf(value)]];
    }),
  );

export interface ForemanEnv {
  readonly variables: Variables;
  /** True if `env.file` of `sup` gives the same variables. */
  readonly isSame: boolean;
}

/** Reads a file both as foreman and as `sup` do it. */
export const readForemanEnv = (text: string): ForemanEnv => {
  const variables = foremanVariables(text);
  const { vars, faults } = parseEnvFile(text);
  const names = new Set([...Object.keys(vars), ...Object.keys(variables)]);
  const isSame = faults.length === 0 && [...names].every((name) => vars[name] === variables[name]);
  return { variables, isSame };
};

/** Returns a line of the file. Single quotes take all but a line break as it is. */
export const foremanLine = (name: string, value: string): string => {
  if (value.includes('\n'))
    return `${name}="${value.replaceAll(/[\\"]/g, String.raw`\$&`).replaceAll('\n', String.raw`\n`)}"`;
  return /^[\w@%+=:,./-]*$/.test(value) ? `${name}=${value}` : `${name}='${value}'`;
};
