// `sup schema`: prints the JSON Schema of the manifest.
import { manifestSchema } from '../../sources/manifest/schema.ts';
import { EXIT } from '../exit-status.ts';
import type { Output } from './manifest-argument.ts';

export const schemaCommand = (out: Output): number => {
  out.stdout(`${JSON.stringify(manifestSchema(), undefined, 2)}\n`);
  return EXIT.done;
};
