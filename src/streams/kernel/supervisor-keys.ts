// The manifest keys `status` and `metrics`, which apply to the whole supervisor. If several manifests declare
// a key, the declaration in the manifest that was registered last applies (`docs/metrics.md`).
import { DEFAULT_METRICS, DEFAULT_STATUS, type Manifest } from '../domain/declared/manifest.ts';
import type { ChangedKey } from '../domain/apply-plan.ts';
import { changedKeys } from '../rollout/changed-keys.ts';
import type { SupervisorState, Tables } from './state.ts';

const tablesOf = ({ status, metrics }: Manifest): Tables => ({
  ...(status && { status }),
  ...(metrics && { metrics }),
});

/**
 * Returns the state with the values of `status` and `metrics` from the manifest that was registered last.
 * While a manifest is not read yet, the current values stay, because that manifest may declare them.
 */
const inForce = (state: SupervisorState, tables: SupervisorState['tables']): SupervisorState => {
  const paths = Object.keys(state.manifests);
  const isWhole = paths.every((path) => tables[path] !== undefined);
  const known: readonly Tables[] = isWhole ? [] : [state];
  const declared = [...known, ...paths.flatMap((path) => tables[path] ?? [])];
  const { status: _, metrics: __, ...rest } = state;
  const status = declared.findLast((each) => each.status !== undefined)?.status;
  const metrics = declared.findLast((each) => each.metrics !== undefined)?.metrics;
  return { ...rest, tables, ...(status && { status }), ...(metrics && { metrics }) };
};

/** Returns the state after the keys `status` and `metrics` of this manifest were stored. */
export const withTables = (state: SupervisorState, manifest: Manifest): SupervisorState =>
  inForce(state, { ...state.tables, [manifest.path]: tablesOf(manifest) });

/** Returns the state without the keys `status` and `metrics` of the unregistered manifest at `path`. */
export const withoutTables = (state: SupervisorState, path: string): SupervisorState => {
  const { [path]: _, ...tables } = state.tables;
  return inForce(state, tables);
};

const everything = ({ status = DEFAULT_STATUS, metrics = DEFAULT_METRICS }: Tables): object => ({
  status,
  metrics,
});

/**
 * Returns the keys below `status` and `metrics` that have different values. An absent key has its default
 * value.
 */
export const changedTables = (before: Tables, after: Tables): readonly ChangedKey[] =>
  changedKeys(everything(before), everything(after));
