// Parts of every boot entry.
import { dirname } from 'node:path';
import { NODE_WORDS } from '../../../../supervisor/loader/node-words.ts';

export interface BootPlace {
  readonly node: string;
  /** The bundle of the resident supervisor, next to that of `sup`. */
  readonly supervisor: string;
  readonly guardian: string;
  readonly dataDir: string;
  readonly sys: boolean;
  /** `PATH` of services: an init system's own is often shorter than that of the user. */
  readonly path: string;
}

/** For root: without directories from a user's own `PATH`. */
export const SYSTEM_PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

/** Marks entries that sup wrote. */
export const MARKER = 'Written by sup boot install';

export const supOf = ({ supervisor }: BootPlace): string => `${dirname(supervisor)}/sup.js`;

/** Command for init systems that do not restart it: the supervisor under its guardian. */
export const guardedLine = ({ guardian, dataDir, node, supervisor, sys }: BootPlace): readonly string[] => [
  ...[guardian, dataDir, node, ...NODE_WORDS, supervisor, '--guarded'],
  ...(sys ? ['--sys'] : []),
];

/** Quotes a word for a shell. */
export const shellWord = (word: string): string =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
