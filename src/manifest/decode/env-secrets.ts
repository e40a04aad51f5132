// Decodes `env.secrets` (`docs/manifest.md`, "Secrets"): variables with values in files, which are read at
// each start. The declaration has only the paths, so that the supervisor's records never contain a value.
import { resolve } from 'node:path';
import { VARIABLE } from './scalars/key-rules.ts';
import { text } from './scalars/text.ts';
import { type Located, located, record } from './shapes/composite.ts';
import { reportAt, reportAtKey, spotBelow, type DecodeContext, type Spot } from './shapes/decoder.ts';
import { required } from './shapes/fields.ts';
import { object } from './shapes/object.ts';
import { type Mistake, printable } from '../check/problem-report.ts';
import { MOST_SECRET_VARIABLE_BYTES, readTrusted, secretTrouble } from '../../os/files/trusted-file.ts';

export const secret = object({
  name: 'secret',
  hint: 'the value stands in a file: NAME: { file: path }',
  fields: {
    file: required(
      text,
      "File with the value, relative to the manifest's directory. One newline at its end is removed.",
    ),
  },
});

export const secrets = record(VARIABLE, located(secret));

type Secrets = ReadonlyMap<string, Located<{ readonly file: string }>>;

/** The variables that the same `env` sets in `vars` and with its env file. */
interface Beside {
  readonly vars: ReadonlyMap<string, unknown>;
  readonly file: Readonly<Record<string, string>>;
}

const clashOf = (name: string, { vars, file }: Beside): Mistake | undefined => {
  if (vars.has(name))
    return {
      code: 'ERR0222',
      message: `${name} is in vars, too; a variable has one value`,
      hint: 'remove one of them',
    };
  if (Object.hasOwn(file, name))
    return {
      code: 'ERR0222',
      message: `the env file sets ${name}, too`,
      hint: 'remove it from the env file',
    };
  return name.startsWith('SUP_')
    ? { code: 'ERR0213', message: 'names that begin with SUP_ belong to the supervisor' }
    : undefined;
};

/**
 * Warns about a file that cannot be used. Only `sup validate` does this: a start reads the file later anyway.
 */
const warnOfUnusable = (file: string, spot: Spot, context: DecodeContext): void => {
  if (context.reader.machine === undefined) return;
  const reading = readTrusted(file, context.reader, MOST_SECRET_VARIABLE_BYTES);
  const trouble = secretTrouble(reading, MOST_SECRET_VARIABLE_BYTES);
  if (trouble === undefined) return;
  reportAt(spotBelow(spot, 'file'), context, {
    code: 'ERR0220',
    severity: 'warning',
    message: `${printable(file)} cannot be used: ${trouble}: the service will not be started`,
    hint: 'the secret is read at each start',
  });
};

/**
 * Returns the absolute path of each secret by name. Reports a secret that has the name of a variable of the
 * same `env`.
 */
export const secretFiles = (
  declared: Secrets,
  beside: Beside,
  context: DecodeContext,
): Readonly<Record<string, string>> => {
  const files: Record<string, string> = {};
  for (const [name, { spot, value }] of declared) {
    const clash = clashOf(name, beside);
    if (clash !== undefined) reportAtKey(spot, context, clash);
    const file = resolve(context.directory, value.file);
    files[name] = file;
    warnOfUnusable(file, spot, context);
  }
  return files;
};

/** Refuses a secret with the name of the variable that blue/green sets to the slot. `spot`: the service. */
export const refuseSecretSlot = (envVar: string | undefined, spot: Spot, context: DecodeContext): void => {
  const { secrets: files = {} } = context.scope.env;
  if (envVar === undefined || !Object.hasOwn(files, envVar)) return;
  const at = spotBelow(spotBelow(spotBelow(spot, 'deployment'), 'blue_green'), 'env_var');
  const message = `${envVar} is in env.secrets, and env_var sets it to the slot`;
  reportAtKey(at, context, { code: 'ERR0222', message });
};
