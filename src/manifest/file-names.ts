// Finds the default manifests of a directory (`docs/commands.md`, "start"). Recognises a file of another tool
// by its name, if a user names it instead of a manifest.
import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

const NAMES = ['sup.yaml', 'sup.yml'];

/** Returns the default manifests of a directory, the preferred one first. */
export const defaultManifests = (directory: string): readonly string[] =>
  NAMES.map((name) => join(directory, name));

export const findDefaultManifest = (directory: string): string | undefined =>
  defaultManifests(directory).find((path) => existsSync(path));

const OVERRIDES = ['sup.override.yaml', 'sup.override.yml'];

/** Returns the file beside a default manifest that overrides it, if there is one. */
export const findOverride = (manifest: string): string | undefined =>
  OVERRIDES.map((name) => join(dirname(manifest), name)).find((path) => existsSync(path));

interface ForeignFile {
  /** What kind of file it is, with an article: `a …`. */
  readonly kind: string;
  /**
   * True for YAML. A YAML file is also read as a manifest, and its problems are shown because they help to
   * convert it.
   */
  readonly isYaml: boolean;
}

const KINDS: readonly (readonly [name: RegExp, kind: ForeignFile])[] = [
  [/^(?:docker-)?compose\b.*\.ya?ml$/i, { kind: 'a Compose file', isYaml: true }],
  [/^process-compose\b.*\.ya?ml$/i, { kind: 'a file of process-compose', isYaml: true }],
  [/^Procfile(?:\.\w+)?$/i, { kind: 'a Procfile', isYaml: false }],
  [/\.(?:service|socket|timer|target)$/, { kind: 'a unit of systemd', isYaml: false }],
  [/^ecosystem\.config\.(?:c|m)?js$/, { kind: 'a configuration of pm2', isYaml: false }],
  [/^supervisord?\b.*\.conf$|\.ini$/i, { kind: 'a configuration of supervisord', isYaml: false }],
];

/** Returns which other tool's file this is, by its name. */
export const foreignFile = (path: string): ForeignFile | undefined =>
  KINDS.find(([name]) => name.test(basename(path)))?.[1];
