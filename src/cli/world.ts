// What the program touches, as ports: two streams to write to, an environment, a directory, the signals of its terminal.
import type { CodeCache } from '../supervisor/loader/code-cache.ts';

/** A place to write to: a terminal, a file or a pipe. */
export interface Screen {
  readonly terminal: boolean;
  /** Width in columns and height in rows, as they are now; a pipe has none. */
  readonly columns: () => number | undefined;
  readonly rows: () => number | undefined;
  readonly write: (text: string) => void;
}

/** What a command that draws over the whole screen needs of its terminal. */
export interface Keyboard {
  /** Whether anybody can type. */
  readonly isThere: boolean;
  /** Each key as it is typed, unechoed, until the returned function is called. */
  readonly onTyped: (listener: (text: string) => void) => () => void;
  readonly onResize: (listener: () => void) => () => void;
  /** When the program ends, whatever ends it but SIGKILL and a fault. */
  readonly onExit: (listener: () => void) => () => void;
}

export interface World {
  readonly stdout: Screen;
  readonly stderr: Screen;
  readonly environment: Readonly<Record<string, string>>;
  readonly directory: string;
  readonly uid: number;
  readonly version: string;
  /** Whether this program began from its code cache. */
  readonly codeCache: CodeCache;
  /** Path of the supervisor's program. */
  readonly supervisor: string;
  /** Path of the script that the resident supervisor runs under. */
  readonly guardian: string;
  /** Calls back at each SIGINT or SIGTERM until the returned function is called. */
  readonly onInterrupt: (listener: () => void) => () => void;
  readonly keyboard: Keyboard;
  /** Ends the program at once, leaving everything as it is. */
  readonly leave: (status: number) => void;
  /** Aborted when the standard output takes nothing any more: mostly its reader has gone (EPIPE). */
  readonly readerGone: AbortSignal;
  /** Settles when all of the standard output is out or its reader has gone; rejects with ERR0701 when some of it is lost. */
  readonly written: () => Promise<void>;
}
