// How boot entries are read, installed and removed: one interface for every init system, the parts that
// every entry has, and the programs that install it.
import { spawnSync } from 'node:child_process';
import { dirname } from 'node:path';
import type { World } from '../../world.ts';
import { errnoOf } from '../../../os/errno.ts';
import { NODE_WORDS } from '../../../supervisor/loader/program-files.ts';

export const INITS = ['systemd', 'openrc', 'crontab'] as const;
export type InitName = (typeof INITS)[number];

export interface InitSystem {
  readonly name: InitName;
  /** Where the entry is, for people. */
  readonly where: string;
  /** Text that would be written now. */
  readonly text: string;
  /** Text of the entry; `undefined`: none. */
  readonly read: () => string | undefined;
  /**
   * True if the text was checked and is valid, false if it cannot be checked. Throws ERR0604 if it is wrong.
   */
  readonly verify: () => boolean;
  /** Writes the text and enables it. Throws ERR0604. */
  readonly place: () => void;
  /** Removes it. Throws ERR0604. */
  readonly remove: () => void;
  /** Whether it takes effect at boot. */
  readonly enabled: () => boolean;
  /** Pid of the supervisor or guardian that it started; `undefined`: none, or not known. */
  readonly started: () => number | undefined;
  /** What else the user should do. */
  readonly hints: () => readonly string[];
}

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

interface ToolResult {
  /** `undefined`: there is no such program, or a signal ended it. */
  readonly status: number | undefined;
  readonly stdout: string;
  readonly stderr: string;
  /** There is no such program. */
  readonly absent?: true;
}

interface Text {
  readonly input?: string;
  /** `latin1`: each byte is one character, whatever the real encoding. */
  readonly encoding?: 'utf8' | 'latin1';
}

export type Tool = (program: string, args: readonly string[], text?: Text) => ToolResult;

const LIMIT_MS = 30_000;

export const toolsOf =
  ({ environment }: Pick<World, 'environment'>): Tool =>
  (program, args, { input = '', encoding = 'utf8' } = {}) => {
    const options = { env: environment, input, encoding, timeout: LIMIT_MS } as const;
    const { status, stdout, stderr, error } = spawnSync(program, args, options);
    if (error !== undefined) {
      const absent = errnoOf(error) === 'ENOENT';
      return { status: undefined, stdout: '', stderr: error.message, ...(absent && { absent }) };
    }
    return { status: status ?? undefined, stdout, stderr };
  };

export const isThere = (tool: Tool, program: string): boolean => tool(program, ['--version']).status === 0;
