// The result of the command `plan`: the changes that `apply` would make.
import type { ServiceId } from './ids.ts';
import type { Strategy } from './service/rollout.ts';
import type { Ms } from './time.ts';

/**
 * A changed manifest key, with dots as in the manifest, and its old and new value as text. A value is absent
 * if the key is not declared.
 */
export interface ChangedKey {
  readonly key: string;
  readonly from?: string;
  readonly to?: string;
  /**
   * Present if the running process cannot take up the change, so that the service must be started again.
   * Absent if the service is not running.
   */
  readonly newRun?: true;
}

export interface PlannedChange {
  readonly service: ServiceId;
  readonly action: 'remove' | 'add' | 'change';
  /** How the running process of the service is replaced. */
  readonly strategy: Strategy;
  readonly keys: readonly ChangedKey[];
  /**
   * How long the service would be down, estimated from its last restart. Absent: not known, or the process is
   * not replaced (see `rest`).
   */
  readonly down?: Ms;
  /**
   * What happens if the process is not replaced:
   * - `skipped`: the manifest skips the service.
   * - `scheduled`: the service waits for its next scheduled time.
   * - `called-off`: the old run continues, and the rollout in progress is cancelled.
   * - `kept`: the present run continues unchanged.
   * - `live`: the present run continues with the changes applied.
   */
  readonly rest?: 'skipped' | 'scheduled' | 'called-off' | 'kept' | 'live';
  /**
   * A dependency that will not become ready. A new run would wait for it without end; with `rest: 'kept'`,
   * this is why no new run is started.
   */
  readonly waitsFor?: ServiceId;
}

/** The planned changes of services, in the order in which they are made. */
export interface Plan {
  readonly changes: readonly PlannedChange[];
  /** Changes to the manifest keys that apply to the whole supervisor (`status`, `metrics`); absent: none. */
  readonly tables?: readonly ChangedKey[];
}
