// The keys `status` and `metrics` are for the whole supervisor: of several manifests the one registered last that has the key
// is right (`docs/metrics.md`).
import type { Manifest } from '../domain/declared/manifest.ts';
import type { ChangedKey } from '../domain/plan.ts';
import { changedKeys } from '../rollout/difference.ts';
import { DEFAULT_METRICS, DEFAULT_STATUS } from '../metrics/limits.ts';
import type { SupervisorState, Tables } from './state.ts';

const tablesOf = ({ status, metrics }: Manifest): Tables => ({
  ...(status && { status }),
  ...(metrics && { metrics }),
});

/**
 * Those in force, from what the registered manifests have, in the order of their registration. One that has not been read
 * here (it does not load, or an older program has handed over) may be whose they are.
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

/** The manifest, which is registered, was read. */
export const withTables = (state: SupervisorState, manifest: Manifest): SupervisorState =>
  inForce(state, { ...state.tables, [manifest.path]: tablesOf(manifest) });

/** The manifest is not registered any more. */
export const withoutTables = (state: SupervisorState, path: string): SupervisorState => {
  const { [path]: _, ...tables } = state.tables;
  return inForce(state, tables);
};

const everything = ({ status = DEFAULT_STATUS, metrics = DEFAULT_METRICS }: Tables): object => ({
  status,
  metrics,
});

/** What is in force now, and was not; what nobody declares has its default. */
export const changedTables = (before: Tables, after: Tables): readonly ChangedKey[] =>
  changedKeys(everything(before), everything(after));
