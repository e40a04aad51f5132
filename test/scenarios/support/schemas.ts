// The JSON Schemas of `docs/schemas`, for what the program really prints.
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Ajv, type ValidateFunction } from 'ajv';

const DIRECTORY = resolve('docs/schemas');

interface Schema {
  readonly $id: string;
  readonly title: string;
}

const read = (): ReadonlyMap<string, ValidateFunction> => {
  const schemas = readdirSync(DIRECTORY).map(
    (file) => JSON.parse(readFileSync(join(DIRECTORY, file), 'utf8')) as Schema,
  );
  const ajv = new Ajv({ strict: true, allowUnionTypes: true, schemas });
  return new Map(
    schemas.flatMap(({ $id, title }) => {
      const validate = ajv.getSchema($id);
      return validate === undefined ? [] : [[title, validate] as const];
    }),
  );
};

let known: ReadonlyMap<string, ValidateFunction> | undefined;

/** The document itself; throws when it is not exactly what its schema says, or has none. */
export const expectSchema = <D>(document: D): D => {
  known ??= read();
  const { schema = '' } = document as { readonly schema?: string };
  const validate = known.get(schema);
  if (validate === undefined) throw new Error(`no schema for ${JSON.stringify(document).slice(0, 200)}`);
  if (!validate(document))
    throw new Error(`${schema}: ${JSON.stringify(validate.errors)} in ${JSON.stringify(document)}`);
  return document;
};
