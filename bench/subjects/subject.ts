// A supervisor as the benchmarks see it, ours and others: brought up, told what to run, started, asked, stopped.
import type { Finished } from '../measure/command.ts';
import type { Place } from '../measure/own-directory.ts';

/** One program to supervise, in words that every tool understands. */
export interface Program {
  readonly name: string;
  readonly argv: readonly string[];
  /** Start it again at once whenever it ends. Otherwise: leave it. */
  readonly restart?: boolean;
  /** Between the stop signal and the kill. */
  readonly stopSeconds?: number;
}

export interface Subject {
  /** Brings the resident part up, with nothing to do. */
  readonly boot: () => Promise<unknown>;
  /** Writes down what is to run; starts nothing. */
  readonly declare: (programs: readonly Program[]) => Promise<unknown>;
  /** The tool's own command that starts what was declared. `onStart` hears the pid of that command. */
  readonly start: (onStart?: (pid: number) => void) => Promise<Finished>;
  /** The tool's own command that stops everything. */
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
