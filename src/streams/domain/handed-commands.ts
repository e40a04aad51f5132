// Running commands, and runs not yet spawned, that a program hands over in an upgrade (`docs/reliability.md`,
// "Upgrade").
import type { HookName } from './declared/spec.ts';
import type { RunId, ServiceId } from './ids.ts';
import type { ExitStatus } from './service/exit.ts';
import type { ProcessRef } from './service/process.ts';

/** The run tag (`SUP_UNIT`) by which the processes of a command are found. */
export interface CommandMark {
  readonly service: ServiceId;
  readonly run: RunId;
}

/** A run that was to be spawned, which has not begun; the next program spawns it. */
export interface Unbegun {
  readonly service: ServiceId;
  readonly run: RunId;
}

/** The facts of a running hook, for the event at its end. */
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
  /** The time left until the command's time limit, ms; absent: no limit. */
  readonly left?: number;
  /** The descriptor of the unnamed file with the output; absent: the service's log receives it. */
  readonly scratch?: number;
  readonly hook?: HandedHook;
}
