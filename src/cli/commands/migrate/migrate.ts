// `sup migrate`: converts a manifest to the current version and prints it. With `--in-place` it replaces the
// file, and keeps the old file as `.bak`.
import type { Handler } from '../../context.ts';
import { loadPorts } from '../../../client/manifests/manifest-paths.ts';
import { manifestArgs, outputOf } from '../../manifest-argument.ts';
import { migrateManifest } from './migrate-manifest.ts';

// eslint-disable-next-line @typescript-eslint/require-await -- its errors must reject
export const migrate: Handler = async (parsed, context) => {
  const args = { ...manifestArgs(parsed, context), inPlace: parsed.flags.has('in-place') };
  return migrateManifest(args, outputOf(context), loadPorts(context));
};
