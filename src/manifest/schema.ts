// The JSON Schema of a manifest, generated from the decoder's own declarations. Built when it is asked
// for: nothing of it is needed to load a manifest.
import type { Definitions, JsonSchema } from './decode/shapes/decoder.ts';
import { manifest } from './decode/manifest.ts';

/** Draft 7, which editors' YAML language servers read. `!include` is theirs to declare as a custom tag. */
export const manifestSchema = (): JsonSchema => {
  const definitions: Definitions = new Map();
  const root = manifest.schema(definitions);
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'sup manifest',
    description: 'Projects and services for the sup process supervisor',
    allOf: [root],
    definitions: Object.fromEntries(definitions),
  };
};
