// The result of `plan`: what an apply would do.
import type { ServiceId } from './ids.ts';
import type { Strategy } from './service/rollout.ts';
import type { Ms } from './time.ts';

/**
 * A changed manifest key, dotted as in the manifest, with its old and new value as text. An absent value: the
 * key is not declared.
 */
export interface ChangedKey {
  readonly key: string;
  readonly from?: string;
  readonly to?: string;
  /**
   * The running process cannot take up the change, so a new run is needed. Only for a change of a running
   * service.
   */
  readonly newRun?: true;
}

export interface PlannedChange {
  readonly service: ServiceId;
  readonly action: 'remove' | 'add' | 'change';
  /** How the old run of a running service is replaced by the new one. */
  readonly strategy: Strategy;
  readonly keys: readonly ChangedKey[];
  /**
   * How long the service would be down, estimated from its last restart. Absent: not known, or `rest` says
   * that there is no new run.
   */
  readonly down?: Ms;
  /**
   * What happens instead of a new run:
   * - `skipped`: the manifest skips the service.
   * - `scheduled`: the service waits for its next scheduled time.
   * - `called-off`: the old run continues, and the rollout under way is cancelled.
   * - `kept`: the present run continues unchanged.
   * - `live`: the present run continues with the changes applied.
   */
  readonly rest?: 'skipped' | 'scheduled' | 'called-off' | 'kept' | 'live';
  /**
   * A dependency that will not become ready. A new run would wait for it without end; with `kept`, no new run
   * is started for this reason.
   */
  readonly waitsFor?: ServiceId;
}

/** The changes, in the order of execution. */
export interface Plan {
  readonly changes: readonly PlannedChange[];
  /** Changes to the manifest keys that apply to the whole supervisor (`status`, `metrics`); absent: none. */
  readonly tables?: readonly ChangedKey[];
}
