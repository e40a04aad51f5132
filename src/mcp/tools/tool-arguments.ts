// The arguments of tools. The table of a tool's parameters gives both the JSON schema for the client and the
// check of the arguments that the client sends.
import {
  accept,
  type Checked,
  type Fields,
  refuse,
  shown,
} from '../../streams/wire/params/checked-fields.ts';

type Parameter =
  | { readonly type: 'names'; readonly describe: string }
  | { readonly type: 'text'; readonly describe: string }
  /** An argument with the value of `next` in the previous result. */
  | { readonly type: 'cursor'; readonly describe: string }
  | { readonly type: 'word'; readonly describe: string; readonly words: readonly string[] }
  | { readonly type: 'flag'; readonly describe: string }
  | {
      readonly type: 'count';
      readonly describe: string;
      readonly least: number;
      readonly most: number;
      /** The value that is used if the argument is absent. */
      readonly usual?: number;
    };

/** The parameters of a tool by their names. */
export type Parameters = Readonly<Record<string, Parameter>>;

/** The arguments of a tool after their check. The functions below return an argument with its type. */
export type Arguments = Readonly<Record<string, readonly string[] | string | boolean | number>>;

const MOST_NAMES = 200;
const LONGEST_TEXT = 200;
const CURSOR = /^\d{1,6}$/;

const schemaOf = (parameter: Parameter): object => {
  const { type, describe: description } = parameter;
  const text = { type: 'string', minLength: 1, maxLength: LONGEST_TEXT };
  switch (type) {
    case 'names':
      return { type: 'array', items: text, minItems: 1, maxItems: MOST_NAMES, description };
    case 'text':
      return { ...text, description };
    case 'cursor':
      return { type: 'string', pattern: CURSOR.source, description };
    case 'word':
      return { type: 'string', enum: parameter.words, description };
    case 'flag':
      return { type: 'boolean', description };
    case 'count': {
      const { least: minimum, most: maximum, usual } = parameter;
      return {
        type: 'integer',
        minimum,
        maximum,
        ...(usual !== undefined && { default: usual }),
        description,
      };
    }
  }
};

/** Returns the JSON schema of the arguments. */
export const inputSchema = (parameters: Parameters, required: readonly string[]): object => ({
  type: 'object',
  properties: Object.fromEntries(Object.entries(parameters).map(([name, one]) => [name, schemaOf(one)])),
  ...(required.length > 0 && { required }),
  additionalProperties: false,
});

const isText = (value: unknown): value is string =>
  typeof value === 'string' && value !== '' && value.length <= LONGEST_TEXT && !value.includes('\0');

const isFit = (parameter: Parameter, value: unknown): boolean => {
  switch (parameter.type) {
    case 'names':
      return Array.isArray(value) && value.length > 0 && value.length <= MOST_NAMES && value.every(isText);
    case 'text':
      return isText(value);
    case 'cursor':
      return typeof value === 'string' && CURSOR.test(value);
    case 'word':
      return parameter.words.some((word) => word === value);
    case 'flag':
      return typeof value === 'boolean';
    case 'count':
      return Number.isInteger(value) && Number(value) >= parameter.least && Number(value) <= parameter.most;
  }
};

const expected = (parameter: Parameter): string => {
  switch (parameter.type) {
    case 'names':
      return `a list of 1 to ${MOST_NAMES} texts`;
    case 'text':
      return `a text of 1 to ${LONGEST_TEXT} characters`;
    case 'cursor':
      return 'the cursor of a result before';
    case 'word':
      return `one of ${parameter.words.join(', ')}`;
    case 'flag':
      return 'true or false';
    case 'count':
      return `a whole number from ${parameter.least} to ${parameter.most}`;
  }
};

/**
 * Returns the arguments if each is known and valid. Otherwise returns a refusal that names the first invalid
 * argument.
 */
export const checkArguments = (
  parameters: Parameters,
  required: readonly string[],
  given: Fields,
): Checked<Arguments> => {
  const missing = required.find((name) => given[name] === undefined);
  if (missing !== undefined) return refuse(`${missing} is missing`);
  for (const [name, value] of Object.entries(given)) {
    const parameter = Object.hasOwn(parameters, name) ? parameters[name] : undefined;
    const known = Object.keys(parameters).join(', ');
    if (parameter === undefined) return refuse(`${shown(name)} is no argument; there are ${known}`);
    if (!isFit(parameter, value)) return refuse(`${name}: ${shown(value)} is not ${expected(parameter)}`);
  }
  // Safe: each value is valid for its parameter, and `Arguments` has the types of all parameters.
  return accept(given as Arguments);
};

export const namesIn = (given: Arguments, name: string): readonly string[] | undefined => {
  const value = given[name];
  return Array.isArray(value) ? value : undefined;
};

export const textIn = (given: Arguments, name: string): string | undefined => {
  const value = given[name];
  return typeof value === 'string' ? value : undefined;
};

export const countIn = (given: Arguments, name: string, usual: number): number => {
  const value = given[name];
  return typeof value === 'number' ? value : usual;
};

export const flagIn = (given: Arguments, name: string): boolean => given[name] === true;
