// What one program hands over to the next in an upgrade about commands that are running
// (`docs/reliability.md`, "Upgrade").
import type { HookName } from './declared/spec.ts';
import type { RunId, ServiceId } from './ids.ts';
import type { ExitStatus } from './service/exit.ts';
import type { ProcessRef } from './service/process.ts';

/** The run tag (`SUP_UNIT`) by which the processes of a command are found. */
export interface CommandMark {
  readonly service: ServiceId;
  readonly run: RunId;
}

/** A run whose spawn was requested but had not begun. */
export interface Unbegun {
  readonly service: ServiceId;
  readonly run: RunId;
}

/** The facts of a running hook, needed for the event at its end. */
export interface HandedHook {
  readonly service: ServiceId;
  readonly run: RunId;
  readonly name: HookName;
}

/** A running command on behalf of a service. */
export interface HandedCommand {
  /** Identifies the command: the key of its watch, if it has one. */
  readonly key: string;
  readonly mark: CommandMark;
  readonly process: ProcessRef;
  /** The exit status, if the command has ended already. */
  readonly status?: ExitStatus;
  /** The time left until its limit, ms; absent: no limit. */
  readonly left?: number;
  /**
   * The descriptor of the unnamed file that its output goes to; absent: the output goes to the service's log.
   */
  readonly scratch?: number;
  readonly hook?: HandedHook;
}
