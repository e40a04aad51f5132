// `sup schema`: prints the JSON Schema of the manifest.
import { manifestSchema } from '../../manifest/decode/top-level.ts';
import { EXIT } from '../../streams/wire/command-exit-status.ts';
import type { Handler } from '../context.ts';

export const schema: Handler = (_parsed, { world }) => {
  world.stdout.write(`${JSON.stringify(manifestSchema(), undefined, 2)}\n`);
  return Promise.resolve(EXIT.done);
};
