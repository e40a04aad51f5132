// Table rows that translate the Compose keys about secrets and logs to keys of `sup`, and back.
import type { ComposeService } from './compose-service.ts';
import { type ComposeRow, type ComposeTarget, ifPresent } from './compose-target.ts';
import { sizeBytes } from './compose-values.ts';
import { isList, remarks, isPlainMap, type Plain, type Translation } from '../key-table.ts';
import { sizeText } from '../manifest-text.ts';
import { textOf, isTrue, numberOf } from '../source-values.ts';

interface Secret {
  readonly name: string;
  readonly target: string;
}

const secretsOf = (value: Plain): readonly Secret[] =>
  (isList(value) ? value : []).map((each) => {
    const name = textOf(isPlainMap(each) ? each['source'] : each);
    return { name, target: isPlainMap(each) ? textOf(each['target'] ?? name) : name };
  });

/** Returns the item of `secrets` in a service. The file in the container gets the name of the variable. */
const secretUse = (variable: string, source: string): Plain =>
  source === variable ? variable : { source, target: variable };

/**
 * Returns the name of the variable for a secret. This is the name of the file in the container or, if that
 * name is a path, the name of the secret.
 */
const variableOf = ({ name, target }: Secret): string =>
  (target.includes('/') ? name : target)
    .toUpperCase()
    .replaceAll(/\W/g, '_')
    .replace(/^(?=\d)/, '_');

/**
 * Translates `secrets` to variables. In a container a secret is a file, but in a service of `sup` it is a
 * variable.
 */
const secrets = (value: Plain, { secrets: declared, placed }: ComposeService): Translation => {
  const keys: Record<string, Plain> = {};
  const [changed, missing]: [string[], string[]] = [[], []];
  for (const secret of secretsOf(value)) {
    const { name, target } = secret;
    const known = declared[name];
    const file = isPlainMap(known) ? known['file'] : undefined;
    const variable = variableOf(secret);
    if (file === undefined || file === null) missing.push(`${name}: sup reads secrets from files only`);
    else if (Object.hasOwn(keys, variable))
      missing.push(`${name}: another secret is the variable ${variable}`);
    else {
      keys[variable] = { file: placed(textOf(file)) };
      changed.push(
        `/run/secrets/${target} is the variable ${variable}; a program that reads the file needs the path ${textOf(file)}`,
      );
    }
  }
  return {
    ...(Object.keys(keys).length > 0 && { keys: { 'env.secrets': keys } }),
    ...remarks(changed, missing),
  };
};

const logOptions = (value: Plain): Translation => {
  const { 'max-size': size, 'max-file': files, compress, ...others } = isPlainMap(value) ? value : {};
  const bytes = sizeBytes(size);
  const count = numberOf(files);
  return {
    keys: {
      ...(bytes !== undefined && { 'logs.max_bytes': sizeText(bytes) }),
      ...(count !== undefined && { 'logs.max_files': Math.max(0, count - 1) }),
      ...(compress !== undefined && { 'logs.compress': isTrue(compress) }),
    },
    ...(Object.keys(others).length > 0 && { lost: `there is no option ${Object.keys(others).join(', ')}` }),
  };
};

const writtenLogs = ({ spec: { logs } }: ComposeTarget): Translation => {
  const options = {
    ...(logs.maxBytes !== undefined && { 'max-size': String(logs.maxBytes) }),
    ...(logs.maxFiles !== undefined && { 'max-file': String(logs.maxFiles + 1) }),
    ...(logs.compress !== undefined && { compress: String(logs.compress) }),
  };
  return Object.keys(options).length === 0 ? {} : { keys: { 'logging.options': options } };
};

/** The rows for secrets and logs. */
export const OUTPUT_ROWS: readonly ComposeRow[] = [
  {
    theirs: 'secrets',
    ours: ['env.secrets'],
    note: 'A container gets a file. A service of `sup` gets a variable with the content of this file; the name of the variable is the `target`. If several secrets have the same name and different files, an export gives them a number and a `target`.',
    read: ({ value }, service) => secrets(value, service),
    write: ({ spec: { env }, secretOf }) =>
      ifPresent(env.secrets, (files) => ({
        secrets: Object.entries(files).map(([name, file]) => secretUse(name, secretOf(name, file))),
      })),
  },
  {
    theirs: 'logging.driver',
    ours: ['logs.sink'],
    note: '`none` corresponds to `sink: none`.',
    read: ({ value }) => {
      if (value === 'none') return { keys: { 'logs.sink': 'none' } };
      const isFile = /^(?:json-file|local)$/.test(textOf(value));
      return isFile ? {} : { lost: 'output goes to log files: read it with sup logs' };
    },
    write: ({ spec: { logs } }) => (logs.sink === 'none' ? { keys: { 'logging.driver': 'none' } } : {}),
  },
  {
    theirs: 'logging.options',
    ours: ['logs.max_bytes', 'logs.max_files', 'logs.compress'],
    note: 'Only `max-size`, `max-file` and `compress` have a counterpart. `max-file` also counts the active file.',
    read: ({ value }) => logOptions(value),
    write: writtenLogs,
  },
];
