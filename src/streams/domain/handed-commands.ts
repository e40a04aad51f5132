// The data that the old program hands over to the new program in an upgrade of the supervisor: running
// commands, and runs that are not spawned yet (`docs/reliability.md`, "Upgrade").
import type { HookName } from './declared/spec.ts';
import type { RunId, ServiceId } from './ids.ts';
import type { ExitStatus } from './service/exit-status.ts';
import type { ProcessRef } from './service/process.ts';

/** The run tag (`SUP_UNIT`) in the environment of a command, by which its processes are found. */
export interface CommandMark {
  readonly service: ServiceId;
  readonly run: RunId;
}

/** A run that the old program had to spawn and did not. The new program spawns it. */
export interface Unbegun {
  readonly service: ServiceId;
  readonly run: RunId;
}

/** The facts of a running hook. The new program uses them to report the end of the hook. */
export interface HandedHook {
  readonly service: ServiceId;
  readonly run: RunId;
  readonly name: HookName;
}

/** A running command on behalf of a service, such as a probe or hook, that the new program takes over. */
export interface HandedCommand {
  /**
   * The key of the watch that runs the command. A command without a watch, such as a hook, has a key of its
   * own.
   */
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
