// Identifies a plan by a hash. A person or an agent that has seen a plan passes its hash to `apply`, so that
// no other plan is applied.
import { createHash } from 'node:crypto';
import type { Selection } from '../../streams/domain/command.ts';
import type { PlanDocument } from '../../streams/wire/documents/command-documents.ts';

/** Returns the hash of a plan and its selection. Estimates of durations are left out because they vary. */
export const hashOfPlan = ({ changes, tables }: PlanDocument, selection: Selection = {}): string => {
  const lasting = changes.map(({ down_ms: _, ...change }) => change);
  const { services = null, projects = null } = selection;
  const text = JSON.stringify([services, projects, lasting, tables]);
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
};
