// The interface that the boot entries of all init systems implement, and functions that they share: the
// command line of the guardian, quoting, and calls of external programs.
import { spawnSync } from 'node:child_process';
import { dirname } from 'node:path';
import type { World } from '../../process-ports.ts';
import { errnoOf } from '../../../os/errno.ts';
import { NODE_WORDS } from '../../../supervisor/loader/program-files.ts';

export const INITS = ['systemd', 'openrc', 'crontab'] as const;
export type InitName = (typeof INITS)[number];

export interface InitSystem {
  readonly name: InitName;
  /** The file that has the boot entry, or a command that shows it; for messages. */
  readonly where: string;
  /** The text of the boot entry as sup would write it now. */
  readonly text: string;
  /**
   * Set if a package of sup installed the entry. Such an entry is only enabled and disabled, and never
   * written.
   */
  readonly packaged?: true;
  /** Returns the text of the installed boot entry; `undefined` if there is none. */
  readonly read: () => string | undefined;
  /**
   * Checks the text of the entry. Returns false if this machine cannot check it; throws ERR0604 if it is
   * invalid.
   */
  readonly verify: () => boolean;
  /** Writes the boot entry and enables it. Throws ERR0604 if that fails. */
  readonly place: () => void;
  /** Disables the boot entry and removes it. Throws ERR0604 if that fails. */
  readonly remove: () => void;
  /** True if the boot entry is enabled: the init system uses it at boot. */
  readonly enabled: () => boolean;
  /** Returns the pid of the supervisor or guardian that the entry started, if known. */
  readonly started: () => number | undefined;
  /** Returns sentences about what else the user should do or know. */
  readonly hints: () => readonly string[];
}

export interface BootPlace {
  readonly node: string;
  /** The bundle of the resident supervisor; `sup.js` is in the same directory. */
  readonly supervisor: string;
  readonly guardian: string;
  readonly dataDir: string;
  readonly sys: boolean;
  /**
   * `PATH` of the services: the user's `PATH`, because that of an init system often has fewer directories.
   */
  readonly path: string;
}

/**
 * The `PATH` of the services with `--sys`. The user's `PATH` is not used, because root must not run programs
 * of a user.
 */
export const SYSTEM_PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

/** A text in every entry that sup wrote, by which sup recognises the entry. */
export const MARKER = 'Written by sup boot install';

export const supOf = ({ supervisor }: BootPlace): string => `${dirname(supervisor)}/sup.js`;

/**
 * Returns the command line of the guardian, which runs the supervisor. It is for init systems that do not
 * restart a program that has ended.
 */
export const guardedLine = ({ guardian, dataDir, node, supervisor, sys }: BootPlace): readonly string[] => [
  ...[guardian, dataDir, node, ...NODE_WORDS, supervisor, '--guarded'],
  ...(sys ? ['--sys'] : []),
];

interface ToolResult {
  /** The exit status; `undefined` if the program does not exist or a signal ended it. */
  readonly status: number | undefined;
  readonly stdout: string;
  readonly stderr: string;
  /** Set if the program does not exist. */
  readonly absent?: true;
}

interface Text {
  readonly input?: string;
  /** Encoding of the program's output. With `latin1` each byte becomes one character, so no byte is lost. */
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
