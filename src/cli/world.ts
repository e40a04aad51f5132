// What the program uses, as ports: two output streams, an environment, a directory, the signals of its
// terminal.
import type { CodeCache } from '../supervisor/loader/run-program.ts';

/** A place to write to: a terminal, a file or a pipe. */
export interface Screen {
  readonly terminal: boolean;
  /** Current width in columns and height in rows; `undefined` for a pipe. */
  readonly columns: () => number | undefined;
  readonly rows: () => number | undefined;
  readonly write: (text: string) => void;
}

/** What a command that draws on the whole screen needs of its terminal. */
export interface Keyboard {
  /** True if a user can type. */
  readonly isThere: boolean;
  /** Calls back with each key as it is typed, unechoed, until the returned function is called. */
  readonly onTyped: (listener: (text: string) => void) => () => void;
  readonly onResize: (listener: () => void) => () => void;
  /** Calls back when the program ends, except by SIGKILL or a fault. */
  readonly onExit: (listener: () => void) => () => void;
}

export interface World {
  readonly stdout: Screen;
  readonly stderr: Screen;
  readonly environment: Readonly<Record<string, string>>;
  readonly directory: string;
  readonly uid: number;
  readonly version: string;
  /** Whether this program uses its code cache. */
  readonly codeCache: CodeCache;
  /** Path of the supervisor's program. */
  readonly supervisor: string;
  /** Path of the guardian script that runs the resident supervisor. */
  readonly guardian: string;
  /** Calls back at each SIGINT or SIGTERM until the returned function is called. */
  readonly onInterrupt: (listener: () => void) => () => void;
  readonly keyboard: Keyboard;
  /** Ends the program at once, and leaves everything as it is. */
  readonly leave: (status: number) => void;
  /** Aborted when standard output takes no more text, mostly because its reader is gone (EPIPE). */
  readonly readerGone: AbortSignal;
  /** Settles when standard output is written or its reader is gone; rejects with ERR0701 if text is lost. */
  readonly written: () => Promise<void>;
}
