// The result of the command `plan`: the changes that `apply` would make.
import type { ServiceId } from './ids.ts';
import type { Strategy } from './service/rollout.ts';
import type { Ms } from './time.ts';

/**
 * A changed manifest key with its old and new value as text. A value is absent if the key is not declared.
 */
export interface ChangedKey {
  readonly key: string;
  readonly from?: string;
  readonly to?: string;
  /** Present if the running process cannot use the new value, so that the service needs a new run. */
  readonly newRun?: true;
}

export interface PlannedChange {
  readonly service: ServiceId;
  readonly action: 'remove' | 'add' | 'change';
  readonly strategy: Strategy;
  readonly keys: readonly ChangedKey[];
  /** How long the service would be down, estimated from its last restart. Absent if there is no estimate. */
  readonly down?: Ms;
  /**
   * What happens to a service that keeps its process:
   * - `skipped`: the manifest skips the service.
   * - `scheduled`: the service waits for its next scheduled time.
   * - `called-off`: the old run continues, and the rollout in progress is cancelled.
   * - `kept`: the present run continues unchanged.
   * - `live`: the present run continues with the changes applied.
   */
  readonly rest?: 'skipped' | 'scheduled' | 'called-off' | 'kept' | 'live';
  /** A dependency that will not become ready. A new run would wait for it in vain. */
  readonly waitsFor?: ServiceId;
}

/** The planned changes of services, in the order in which they are made. */
export interface Plan {
  readonly changes: readonly PlannedChange[];
  /** Changes to the keys `status` and `metrics` of the manifest, which apply to the whole supervisor. */
  readonly tables?: readonly ChangedKey[];
}
