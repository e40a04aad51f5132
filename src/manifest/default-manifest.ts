// The manifest of a directory if none is named: `sup.yaml`, then `sup.yml` (`docs/commands.md`, "start").
import { existsSync } from 'node:fs';
import { join } from 'node:path';

const NAMES = ['sup.yaml', 'sup.yml'];

/** The candidates, best first. */
export const defaultManifests = (directory: string): readonly string[] =>
  NAMES.map((name) => join(directory, name));

export const findDefaultManifest = (directory: string): string | undefined =>
  defaultManifests(directory).find((path) => existsSync(path));
