// Files of other tools, which people name where a manifest is meant. They are recognised by their names.
import { basename } from 'node:path';

interface ForeignFile {
  /** What it is, with its article. */
  readonly kind: string;
  /** It is YAML, so what is wrong with it as a manifest helps to convert it. */
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

/** `undefined` if the name is not that of another tool's file. */
export const foreignFile = (path: string): ForeignFile | undefined =>
  KINDS.find(([name]) => name.test(basename(path)))?.[1];
