// A supervisor that is measured, `sup` or a peer: how to start it, declare services, start and stop them, and
// ask for their status.
import type { Finished } from '../measure/command.ts';
import type { Place } from '../measure/own-directory.ts';

/** One program to supervise, described only by properties that all tools support. */
export interface Program {
  readonly name: string;
  readonly argv: readonly string[];
  /** True if the program is restarted immediately whenever it exits. */
  readonly restart?: boolean;
  /** Time between the stop signal and SIGKILL, s. */
  readonly stopSeconds?: number;
}

/** An HTTP server that runs in several processes at one port. */
export interface Server {
  readonly argv: readonly [program: string, ...args: readonly string[]];
  readonly port: number;
}

/** The processes of a `Server`, which a tool starts and replaces. */
export interface Cluster {
  readonly start: (count: number) => Promise<unknown>;
  readonly scale: (count: number) => Promise<unknown>;
  /** Replaces all processes by new ones without a refused request. */
  readonly roll: () => Promise<unknown>;
  readonly end: () => Promise<unknown>;
}

export interface Subject {
  /** Starts the supervisor without services. */
  readonly boot: () => Promise<unknown>;
  /** Declares the services without starting any. */
  readonly declare: (programs: readonly Program[]) => Promise<unknown>;
  /** Runs the tool's own command that starts the services. `onStart` receives the pid of that command. */
  readonly start: (onStart?: (pid: number) => void) => Promise<Finished>;
  /** Runs the tool's own command that stops all services. */
  readonly stop: () => Promise<Finished>;
  readonly status: () => Promise<Finished>;
  /** Ends the supervisor. */
  readonly end: () => Promise<unknown>;
  /** Absent if the tool cannot run several processes at one port. */
  readonly cluster?: (server: Server) => Cluster;
}

export interface Tool {
  readonly name: string;
  readonly version: string;
  readonly open: (place: Place) => Subject;
}
