// A supervisor under measurement, `sup` or a peer: brought up, given services, started, queried, stopped.
import type { Finished } from '../measure/command.ts';
import type { Place } from '../measure/own-directory.ts';

/** One program to supervise, in terms that each tool supports. */
export interface Program {
  readonly name: string;
  readonly argv: readonly string[];
  /** True: restart it at once whenever it exits. */
  readonly restart?: boolean;
  /** The time between the stop signal and SIGKILL. */
  readonly stopSeconds?: number;
}

export interface Subject {
  /** Starts the resident part without services. */
  readonly boot: () => Promise<unknown>;
  /** Declares the services; starts none. */
  readonly declare: (programs: readonly Program[]) => Promise<unknown>;
  /** Runs the tool's own start command. `onStart` gets the pid of that command. */
  readonly start: (onStart?: (pid: number) => void) => Promise<Finished>;
  /** Runs the tool's own command that stops everything. */
  readonly stop: () => Promise<Finished>;
  readonly status: () => Promise<Finished>;
  /** Ends the resident part. */
  readonly end: () => Promise<unknown>;
}

export interface Tool {
  readonly name: string;
  readonly version: string;
  readonly open: (place: Place) => Subject;
}
