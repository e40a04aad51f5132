// The JSON Schema of a manifest, generated from the decoders. It is built on request, since loading does not
// need it.
import type { Definitions, JsonSchema } from './decode/shapes/decoder.ts';
import { manifest } from './decode/manifest.ts';

/**
 * A draft 7 schema, for the YAML language servers of editors. They must declare `!include` as a custom tag.
 */
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
