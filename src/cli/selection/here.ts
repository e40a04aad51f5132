// What the working directory selects: its manifest, and the services that bare names mean.
import { findDefaultManifest, defaultManifests } from '../../manifest/file-names.ts';
import { peekRegistry } from '../../sources/store/read-store.ts';
import { isPattern } from '../../streams/selection/pattern.ts';
import type { Context } from '../context.ts';
import { readRecorded } from '../offline/recorded.ts';
import { registeredPath } from './registered-path.ts';

/** The registered path of this directory's manifest; its file may be gone. */
export const registeredHere = (context: Context): string | undefined => {
  const { dataDir, world } = context;
  const registered = peekRegistry(dataDir);
  const found = findDefaultManifest(world.directory);
  const paths = found === undefined ? defaultManifests(world.directory) : [found];
  return paths.map((path) => registeredPath(path, context)).find((path) => registered.includes(path));
};

const isBare = (name: string): boolean => !isPattern(name) && !name.includes('/');

/**
 * Adds the project to a bare name if this directory's manifest has exactly one service of that name. Other
 * projects may have one as well.
 */
export const namesHere = (names: readonly string[], context: Context): readonly string[] => {
  const manifest = names.some(isBare) ? registeredHere(context) : undefined;
  if (manifest === undefined) return names;
  const own = readRecorded(context).services.filter(({ spec }) => spec.manifest === manifest);
  return names.map((name) => {
    const [first, second] = isBare(name) ? own.filter(({ spec }) => spec.name === name) : [];
    return second === undefined ? (first?.spec.id ?? name) : name;
  });
};
