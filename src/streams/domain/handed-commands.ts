// What a program hands over to the next program in an upgrade: running commands, and runs that are not
// spawned yet (`docs/reliability.md`, "Upgrade").
import type { HookName } from './declared/spec.ts';
import type { RunId, ServiceId } from './ids.ts';
import type { ExitStatus } from './service/exit.ts';
import type { ProcessRef } from './service/process.ts';

/** The run tag (`SUP_UNIT`) in the environment of a command, by which its processes are found. */
export interface CommandMark {
  readonly service: ServiceId;
  readonly run: RunId;
}

/** A run that the old program had to spawn and did not; the next program spawns it. */
export interface Unbegun {
  readonly service: ServiceId;
  readonly run: RunId;
}

/** The facts of a running hook. The next program reports the end of the hook with them. */
export interface HandedHook {
  readonly service: ServiceId;
  readonly run: RunId;
  readonly name: HookName;
}

/** A running command on behalf of a service, such as a probe or hook, that the next program takes over. */
export interface HandedCommand {
  /** The key of the watch that runs the command, or another key that identifies it. */
  readonly key: string;
  readonly mark: CommandMark;
  readonly process: ProcessRef;
  /** The exit status, if the command has ended. */
  readonly status?: ExitStatus;
  /** The time in ms that remains until the time limit of the command. Absent: no limit. */
  readonly left?: number;
  /** The descriptor of the unnamed file with the output. Absent: the log of the service gets the output. */
  readonly scratch?: number;
  readonly hook?: HandedHook;
}
