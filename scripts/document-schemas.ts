// Makes docs/schemas from the types of the documents (D-160): one schema for each document, and common.json
// with the parts that documents share.
import { fileURLToPath } from 'node:url';
import { createGenerator, type Definition, type Schema } from 'ts-json-schema-generator';

const root = fileURLToPath(new URL('../', import.meta.url));
const DIALECT = 'http://json-schema.org/draft-07/schema#';
const COMMON = 'common.json';

/** The schema of an error code. It does not list the codes, so that a new code changes no schema. */
const CODE: Definition = { type: 'string', pattern: String.raw`^ERR\d{4}$` };
const CODES: ReadonlySet<string> = new Set(['ErrorCode', 'ProblemCode']);
/** A type that becomes `integer` in the schemas, and no part of common.json. */
const INTEGER = 'Whole';

/** Returns the schemas of all types that are reachable from `AnyDocument`, by the names of the types. */
const typesOf = (): ReadonlyMap<string, Definition> => {
  const generator = createGenerator({
    path: `${root}src/streams/wire/documents/any-document.ts`,
    tsconfig: `${root}src/streams/tsconfig.json`,
    type: 'AnyDocument',
    topRef: false,
    sortProps: false,
    skipTypeCheck: true,
  });
  const { definitions = {} } = generator.createSchema('AnyDocument');
  return new Map(
    Object.entries(definitions).flatMap(([name, type]) =>
      typeof type === 'object' ? [[name, CODES.has(name) ? CODE : type] as const] : [],
    ),
  );
};

/** Returns the name of a part: `ServiceDocument` is `service`, `StateWord` is `state`. */
const partName = (type: string): string => {
  if (CODES.has(type)) return 'code';
  const name = type.replace(/(?:Document|Word|Text)$/, '');
  return `${name.charAt(0).toLowerCase()}${name.slice(1)}`;
};

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Joins the lines of a comment, except the entries of a list. */
const asText = (comment: string): string => comment.replaceAll(/\n(?!- )/g, ' ');

const typeIn = (reference: unknown): string | undefined =>
  typeof reference === 'string' ? reference.replace('#/definitions/', '') : undefined;

/** Returns the schema of a choice: constants become one `enum`, and plain types one list `type`. */
const choice = (choices: readonly unknown[]): Readonly<Record<string, unknown>> => {
  const keys = (key: string): boolean =>
    choices.every(
      (one) => isRecord(one) && key in one && Object.keys(one).every((each) => ['type', key].includes(each)),
    );
  const values = (key: string): readonly unknown[] => choices.map((one) => isRecord(one) && one[key]);
  if (keys('const')) return { type: 'string', enum: values('const') };
  return keys('type') ? { type: values('type') } : { anyOf: choices };
};

/** Returns the schema with references to common.json, as it is written into a file. */
const written = (schema: unknown): unknown => {
  if (Array.isArray(schema)) return schema.map(written);
  if (!isRecord(schema)) return schema;
  const { $ref, anyOf, description, ...rest } = schema;
  const type = typeIn($ref);
  const said = typeof description === 'string' ? { description: asText(description) } : {};
  const own = Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, written(value)]));
  if (Array.isArray(anyOf)) return { ...said, ...choice(anyOf.map(written)), ...own };
  if (type === undefined) return { ...said, ...own };
  if (type === INTEGER) return { ...said, type: 'integer', ...own };
  return { ...said, $ref: `${COMMON}#/definitions/${partName(type)}`, ...own };
};

/** Returns the types that this schema refers to. */
const namedIn = (schema: unknown): readonly string[] => {
  if (Array.isArray(schema)) return schema.flatMap(namedIn);
  if (!isRecord(schema)) return [];
  return [typeIn(schema['$ref']) ?? [], Object.values(schema).flatMap(namedIn)].flat();
};

/** Returns the name of a document, such as `sup.status/1`; `undefined` for a part of documents. */
const titleOf = ({ properties }: Definition): string | undefined => {
  const schema = properties?.['schema'];
  return typeof schema === 'object' && typeof schema.const === 'string' ? schema.const : undefined;
};

const documentSchema = (title: string, type: Definition): readonly [string, Schema] => {
  const id = `${title.replace(/^sup\.(.*)\/\d+$/, '$1')}.json`;
  return [id, { $schema: DIALECT, $id: id, title, ...(written(type) as Definition) }];
};

/** Returns the schema of all parts. Throws if two types would get the same name. */
const commonSchema = (parts: ReadonlyMap<string, Definition>): Schema => {
  const definitions: Record<string, Definition> = {};
  for (const [name, type] of parts) {
    const part = partName(name);
    if (part in definitions && type !== CODE)
      throw new Error(`${name}: another type is the part ${part} too`);
    definitions[part] = written(type) as Definition;
  }
  return { $schema: DIALECT, $id: COMMON, title: 'The parts that documents are made of', definitions };
};

/** Returns the schemas by the names of their files. */
export const documentSchemas = (): ReadonlyMap<string, Schema> => {
  const types = typesOf();
  const documents = [...types].flatMap(([, type]) => {
    const title = titleOf(type);
    return title === undefined ? [] : [documentSchema(title, type)];
  });
  const used = new Set([...types.values()].flatMap(namedIn));
  used.delete(INTEGER);
  const parts = new Map([...types].filter(([name]) => used.has(name)));
  return new Map([...documents, [COMMON, commonSchema(parts)]]);
};
