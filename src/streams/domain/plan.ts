// What bringing declared and actual together would do.
import type { ServiceId } from './ids.ts';
import type { Strategy } from './service/rollout.ts';
import type { Ms } from './time.ts';

/** One key of a declaration, dotted as in the manifest, with its values as text; absent: not declared. */
export interface ChangedKey {
  readonly key: string;
  readonly from?: string;
  readonly to?: string;
  /** It cannot be taken up by the run that is there; of a change of a service that runs. */
  readonly newRun?: true;
}

export interface PlannedChange {
  readonly service: ServiceId;
  readonly action: 'remove' | 'add' | 'change';
  /** How a service that runs is brought to its new run. */
  readonly strategy: Strategy;
  readonly keys: readonly ChangedKey[];
  /** How long nobody would be there, as it was the last time; absent: it is not known, or `rest` says more. */
  readonly down?: Ms;
  /**
   * What it would be left with instead of a new run: it is left out from then on, runs at its times only, goes on without the
   * rollout that is under way, goes on as it is, or goes on and takes up what has changed (`live`).
   */
  readonly rest?: 'skipped' | 'scheduled' | 'called-off' | 'kept' | 'live';
  /** A need that does not come: a new run would wait for it in vain, or is not brought for that (`kept`). */
  readonly waitsFor?: ServiceId;
}

/** In the order in which it would be done. */
export interface Plan {
  readonly changes: readonly PlannedChange[];
  /** Of the keys that are for the whole supervisor (`status`, `metrics`); absent: nothing. */
  readonly tables?: readonly ChangedKey[];
}
