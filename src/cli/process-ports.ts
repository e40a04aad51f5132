// The parts of the process that a command uses. Tests replace them.
import type { Readable } from 'node:stream';
import type { CodeCache } from '../supervisor/loader/run-program.ts';

/** An output: a terminal, a file or a pipe. */
export interface Screen {
  readonly terminal: boolean;
  /** Current width in columns, and height in rows; `undefined` if the output is no terminal. */
  readonly columns: () => number | undefined;
  readonly rows: () => number | undefined;
  readonly write: (text: string) => void;
}

/** The parts of the terminal that a command needs to read keys and to draw on the whole screen. */
export interface Keyboard {
  /** True if standard input is a terminal. */
  readonly isThere: boolean;
  /**
   * Calls the listener for each typed key, and `onLost` if the terminal has gone. Keys are not echoed.
   * Returns a function that removes both listeners.
   */
  readonly onTyped: (listener: (text: string) => void, onLost?: () => void) => () => void;
  readonly onResize: (listener: () => void) => () => void;
  /**
   * Calls the listener when the process ends, except by SIGKILL or a fault. Returns a function that removes
   * it.
   */
  readonly onExit: (listener: () => void) => () => void;
  /**
   * Prepares for Ctrl-Z (SIGTSTP): calls `before` before the suspension, `after` when the process continues.
   */
  readonly suspension: (around: { readonly before: () => void; readonly after: () => void }) => {
    /** Suspends the process. Call it when the terminal is in raw mode, in which Ctrl-Z sends no signal. */
    readonly suspend: () => void;
    readonly remove: () => void;
  };
}

export interface World {
  readonly stdout: Screen;
  readonly stderr: Screen;
  readonly environment: Readonly<Record<string, string>>;
  readonly directory: string;
  readonly uid: number;
  readonly version: string;
  /** Says that this program runs from its code cache, or why it does not. */
  readonly codeCache: CodeCache;
  readonly supervisor: string;
  /** Path of the guardian script that runs the resident supervisor. */
  readonly guardian: string;
  /** Calls the listener at each SIGINT or SIGTERM. Returns a function that removes it. */
  readonly onInterrupt: (listener: () => void) => () => void;
  readonly keyboard: Keyboard;
  /** Returns standard input as bytes; destroying it ends the reading. */
  readonly input: () => Readable;
  /** Exits immediately, without waiting for output or connections. */
  readonly leave: (status: number) => void;
  /** Aborted when standard output accepts no more text, usually because its reader is gone (EPIPE). */
  readonly readerGone: AbortSignal;
  /**
   * Resolves when all text is written to standard output, or its reader is gone. Rejects with ERR0701 if text
   * was lost.
   */
  readonly written: () => Promise<void>;
  /** True if the user is at another machine. Progress is then printed as lines and not redrawn. */
  readonly isRemote?: true;
}
