// What an apply would do.
import type { ServiceId } from './ids.ts';
import type { Strategy } from './service/rollout.ts';
import type { Ms } from './time.ts';

/** One manifest key with its values as text, dotted as in the manifest; absent value: not declared. */
export interface ChangedKey {
  readonly key: string;
  readonly from?: string;
  readonly to?: string;
  /** The present run cannot take up the change; only for a change of a running service. */
  readonly newRun?: true;
}

export interface PlannedChange {
  readonly service: ServiceId;
  readonly action: 'remove' | 'add' | 'change';
  /** How a running service gets its new run. */
  readonly strategy: Strategy;
  readonly keys: readonly ChangedKey[];
  /** How long the service would be down, by its last restart; absent: not known, or `rest` says more. */
  readonly down?: Ms;
  /**
   * What happens instead of a new run:
   * - `skipped`: the service is left out.
   * - `scheduled`: it runs at its times only.
   * - `called-off`: it goes on without the rollout under way.
   * - `kept`: it goes on unchanged.
   * - `live`: it goes on and takes up the changes.
   */
  readonly rest?: 'skipped' | 'scheduled' | 'called-off' | 'kept' | 'live';
  /**
   * A dependency that does not become ready: a new run would wait in vain, or is not started for that reason
   * (`kept`).
   */
  readonly waitsFor?: ServiceId;
}

/** The changes, in the order of execution. */
export interface Plan {
  readonly changes: readonly PlannedChange[];
  /** Changes to the keys for the whole supervisor (`status`, `metrics`); absent: none. */
  readonly tables?: readonly ChangedKey[];
}
