// The document `sup.metrics/1`.
import type { HealthWord, StateWord, TimeText, Whole } from './basic-documents.ts';

/** The document of `sup metrics --json`. */
export interface MetricsDocument {
  readonly schema: 'sup.metrics/1';
  readonly supervisor: {
    readonly pid: Whole;
    readonly version: string;
    readonly since: TimeText;
    readonly cpu_seconds: number;
    /** CPU use of the supervisor since its start, in percent of one core; `null` if it was not requested. */
    readonly cpu_percent: number | null;
    readonly rss_bytes: Whole;
    /** The delay of the supervisor's timers at the last process scan, ms; `null` before the first scan. */
    readonly loop_delay_ms: number | null;
    /** The longest delay of the supervisor's timers in the last minute, ms. */
    readonly loop_delay_max_ms: number | null;
    readonly samples_bytes: Whole;
  };
  readonly services: readonly MeasuredService[];
}

export interface MeasuredService {
  readonly project: string;
  readonly service: string;
  readonly state: StateWord;
  readonly up: boolean;
  readonly health: HealthWord;
  readonly restarts_total: Whole;
  readonly cpu_percent: number | null;
  readonly rss_bytes: Whole | null;
  /** The duration of the last probe of the health check, ms. */
  readonly probe_ms: number | null;
  /** The size of the service's log files on disk, bytes. */
  readonly log_bytes: Whole | null;
}
