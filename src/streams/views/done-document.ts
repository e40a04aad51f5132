// The answers to commands as documents (`docs/json.md`).
import type { ChangedKey, Plan, PlannedChange } from '../domain/apply-plan.ts';
import type { Done } from '../domain/command.ts';
import type {
  ChangeDocument,
  DoneDocument,
  KeyDocument,
  PlanDocument,
} from '../wire/documents/command-documents.ts';

/** Returns the document `sup.done/1`. `command`: the name of the command on the command line. */
export const doneDocument = (command: string, { outcomes, warnings }: Done): DoneDocument => ({
  schema: 'sup.done/1',
  command,
  services: outcomes.map(({ service, what, down, keys }) => ({
    ...{ service, what, down_ms: down ?? null, keys: keys ?? null },
  })),
  warnings,
});

const keyDocument = ({ key, from, to }: ChangedKey): KeyDocument => ({
  key,
  from: from ?? null,
  to: to ?? null,
});

const changeDocument = (change: PlannedChange): ChangeDocument => ({
  service: change.service,
  action: change.action,
  strategy: change.strategy,
  down_ms: change.down ?? null,
  rest: change.rest ?? null,
  waits_for: change.waitsFor ?? null,
  keys: change.keys.map((key) => ({ ...keyDocument(key), new_run: key.newRun === true })),
});

/** Returns the document `sup.plan/1`. */
export const planDocument = ({ changes, tables = [] }: Plan, warnings: readonly string[]): PlanDocument => ({
  schema: 'sup.plan/1',
  changes: changes.map(changeDocument),
  tables: tables.map(keyDocument),
  warnings,
});
