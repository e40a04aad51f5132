// The part of running commands that one program hands over to the next in an upgrade
// (`docs/reliability.md`, "Upgrade").
import type { HookName } from './declared/spec.ts';
import type { RunId, ServiceId } from './ids.ts';
import type { ExitStatus } from './service/exit.ts';
import type { ProcessRef } from './service/process.ts';

/** The run by which the processes of a command are found (`SUP_UNIT`). */
export interface CommandMark {
  readonly service: ServiceId;
  readonly run: RunId;
}

/** A run with a requested spawn that had not begun. */
export interface Unbegun {
  readonly service: ServiceId;
  readonly run: RunId;
}

/** The facts of a hook that the event for its end carries. */
export interface HandedHook {
  readonly service: ServiceId;
  readonly run: RunId;
  readonly name: HookName;
}

/** A command that runs on behalf of a service. */
export interface HandedCommand {
  /** What the command is for; the key of its watch, if it has one. */
  readonly key: string;
  readonly mark: CommandMark;
  readonly process: ProcessRef;
  /** Its exit status, if it has ended already. */
  readonly status?: ExitStatus;
  /** The rest of its time limit, ms; absent: it has no limit. */
  readonly left?: number;
  /** The descriptor of the unnamed file that takes its output; absent: the log of its service. */
  readonly scratch?: number;
  readonly hook?: HandedHook;
}
