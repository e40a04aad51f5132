// Warns of two blue/green services that keep their slots in one file.
import { basename, dirname, join, resolve } from 'node:path';
import { realPlace } from '../../os/files/real-place.ts';
import type { Context } from '../decode/shapes/decoder.ts';
import type { Bundle } from '../resolve/bundles.ts';
import { warnOfShared } from './shared.ts';

/**
 * The path with its directory resolved. A link at the path itself is not resolved, since it would be
 * replaced.
 */
const placeOf = (path: string): string => join(realPlace(dirname(path)), basename(path));

export const warnOfSharedSlotFiles = (bundles: readonly Bundle[], context: Context): void =>
  warnOfShared(
    bundles,
    {
      claimsOf: ({ deployment: { blue_green: slots } }) =>
        slots?.state_path === undefined
          ? new Map()
          : new Map([[placeOf(resolve(context.directory, slots.state_path.value)), slots.state_path.spot]]),
      told: 'each of them overwrites the slot of the other',
    },
    context,
  );
