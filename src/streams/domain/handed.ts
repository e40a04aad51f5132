// What of commands under way is handed over to the program that takes the place of this one (`docs/reliability.md`,
// "Upgrade").
import type { HookName } from './declared/spec.ts';
import type { RunId, ServiceId } from './ids.ts';
import type { ExitStatus } from './service/exit.ts';
import type { ProcessRef } from './service/process.ts';

/** Under which name the processes of a command are found (`SUP_UNIT`). */
export interface CommandMark {
  readonly service: ServiceId;
  readonly run: RunId;
}

/** A run whose process was to be started, and had not begun to be. */
export interface Unbegun {
  readonly service: ServiceId;
  readonly run: RunId;
}

/** What the end of a hook is told with. */
export interface HandedHook {
  readonly service: ServiceId;
  readonly run: RunId;
  readonly name: HookName;
}

/** A command on behalf of a service that is under way. */
export interface HandedCommand {
  /** What it is done for: of a watch its key. */
  readonly key: string;
  readonly mark: CommandMark;
  readonly process: ProcessRef;
  /** Its end, where that was heard of already. */
  readonly status?: ExitStatus;
  /** What is left of its time, ms; absent: it has no limit. */
  readonly left?: number;
  /** The nameless file that its output goes into; absent: the log of its service. */
  readonly scratch?: number;
  readonly hook?: HandedHook;
}
