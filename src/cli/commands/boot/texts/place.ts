// What every boot entry is made of.
import { dirname } from 'node:path';
import { NODE_WORDS } from '../../../../supervisor/loader/node-words.ts';

export interface BootPlace {
  readonly node: string;
  /** The bundle of the resident supervisor, beside that of `sup`. */
  readonly supervisor: string;
  readonly guardian: string;
  readonly dataDir: string;
  readonly sys: boolean;
  /** Where services look for programs: an init system's own is often shorter than that of who wrote their manifests. */
  readonly path: string;
}

/** For root: nothing that a user's own `PATH` may name. */
export const SYSTEM_PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

/** By this sup knows its own. */
export const MARKER = 'Written by sup boot install';

export const supOf = ({ supervisor }: BootPlace): string => `${dirname(supervisor)}/sup.js`;

/** The supervisor under its guardian, for those who do not bring back who dies. */
export const guardedLine = ({ guardian, dataDir, node, supervisor, sys }: BootPlace): readonly string[] => [
  ...[guardian, dataDir, node, ...NODE_WORDS, supervisor, '--guarded'],
  ...(sys ? ['--sys'] : []),
];

/** One word for a shell. */
export const shellWord = (word: string): string =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
