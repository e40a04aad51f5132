// Decodes `env.secrets` (`docs/manifest.md`, "Secrets"): variables with values in files, which are read at
// each start. Only the paths get into the declaration, so no reader of a record sees a value.
import { resolve } from 'node:path';
import { VARIABLE } from './scalars/key-rules.ts';
import { text } from './scalars/text.ts';
import { type Located, located, record } from './shapes/composite.ts';
import { reportAtKey, spotBelow, type DecodeContext, type Spot } from './shapes/decoder.ts';
import { required } from './shapes/fields.ts';
import { object } from './shapes/object.ts';
import type { Mistake } from '../check/problem-report.ts';

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

/** What else the same `env` sets. */
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

/** Returns the absolute paths of the secrets by name. Reports those that the same `env` sets, too. */
export const secretFiles = (
  declared: Secrets,
  beside: Beside,
  context: DecodeContext,
): Readonly<Record<string, string>> => {
  for (const [name, { spot }] of declared) {
    const clash = clashOf(name, beside);
    if (clash !== undefined) reportAtKey(spot, context, clash);
  }
  return Object.fromEntries(
    [...declared].map(([name, { value }]) => [name, resolve(context.directory, value.file)]),
  );
};

/** Refuses a secret with the name of the variable that blue/green sets to the slot. `spot`: the service. */
export const refuseSecretSlot = (envVar: string | undefined, spot: Spot, context: DecodeContext): void => {
  const { secrets: files = {} } = context.scope.env;
  if (envVar === undefined || !Object.hasOwn(files, envVar)) return;
  const at = spotBelow(spotBelow(spotBelow(spot, 'deployment'), 'blue_green'), 'env_var');
  const message = `${envVar} is in env.secrets, and env_var sets it to the slot`;
  reportAtKey(at, context, { code: 'ERR0222', message });
};
