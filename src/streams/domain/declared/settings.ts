// The supervisor-wide settings of `supervisor.xml`, with their defaults (`docs/settings.md`).
import { ms, seconds, type Ms } from '../time.ts';

export interface Settings {
  readonly logs: {
    readonly maxBytes: number;
    readonly maxFiles: number;
    /** The limit for the log files of all services together, in bytes; 0: no limit. */
    readonly totalMaxBytes: number;
  };
  readonly preStart: Ms;
  readonly startupStability: Ms;
  readonly stopVerify: Ms;
  readonly startSettle: Ms;
  /** How long a command waits for the supervisor's answer; 0: no limit. */
  readonly commandWait: Ms;
  /** How many services may start at once when many are started together; -1: no limit. */
  readonly maxConcurrent: number;
}

export const DEFAULT_SETTINGS: Settings = {
  logs: { maxBytes: 10_485_760, maxFiles: 5, totalMaxBytes: 0 },
  preStart: seconds(300),
  startupStability: ms(250),
  stopVerify: seconds(10),
  startSettle: seconds(360),
  commandWait: seconds(900),
  maxConcurrent: -1,
};
