// Whether a manifest satisfies the JSON Schema, as an editor would see it: without includes and variables.
import { Ajv } from 'ajv';
import { parse } from 'yaml';
import { manifestSchema } from '../../src/manifest/decode/top-level.ts';

const validate = new Ajv({ strict: false }).compile(manifestSchema());

export const satisfies = (text: string): boolean => validate(parse(text, { merge: true }));

/** Why the last one did not. */
export const whyNot = (): string => JSON.stringify(validate.errors);
