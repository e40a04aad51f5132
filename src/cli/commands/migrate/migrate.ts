// `sup migrate`: prints the manifest in its current form; with `--in-place` writes it and keeps a `.bak`
// file.
import type { Handler } from '../../context.ts';
import { loadPorts } from '../../../client/manifests/manifest-paths.ts';
import { manifestArgs, outputOf } from '../../manifest-argument.ts';
import { migrateManifest } from './migrate-manifest.ts';

// eslint-disable-next-line @typescript-eslint/require-await -- its errors must reject
export const migrate: Handler = async (parsed, context) => {
  const args = { ...manifestArgs(parsed, context), inPlace: parsed.flags.has('in-place') };
  return migrateManifest(args, outputOf(context), loadPorts(context));
};
