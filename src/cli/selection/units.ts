// Manifests that `sup start -- command…` has generated. They are deleted with their registration.
import { existsSync } from 'node:fs';
import { NAME_PATTERN } from '../../streams/domain/ids.ts';
import type { Context } from '../context.ts';
import { resolvedPath } from './registered-path.ts';

/** Its resolved path; `undefined`: no supervised command has that name. */
export const unitNamed = ({ layout, dataDir }: Context, name: string): string | undefined => {
  const path = `${layout.units}/${name}.yaml`;
  return NAME_PATTERN.test(name) && existsSync(path) ? resolvedPath(path, dataDir) : undefined;
};

/** Whether a manifest, by its resolved path, is one of them. */
export const isUnit = ({ layout, dataDir }: Context, manifest: string): boolean =>
  manifest.startsWith(`${resolvedPath(layout.units, dataDir)}/`);
