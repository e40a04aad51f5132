// The document of `sup security --json`.
import type { ServiceSpec } from '../../domain/declared/spec.ts';
import type {
  SecurityCheckDocument,
  SecurityDocument,
  ServiceSecurityDocument,
} from '../../wire/documents/security-documents.ts';
import type { Starter } from './declared-confinement.ts';
import { ratingOf, scoreOf, securityRows, type RunningService, type SecurityRow } from './security-score.ts';
import type { SupervisorRow } from './supervisor-row.ts';

/** A service for which the report has a score. */
export interface JudgedService {
  readonly spec: ServiceSpec;
  /** The main process of the service. Absent if there is no process, or if it cannot be examined. */
  readonly running?: RunningService & { readonly pid: number };
}

interface SecurityFacts {
  readonly services: readonly JudgedService[];
  readonly starter: Starter;
  readonly supervised: boolean;
  readonly supervisor: readonly SupervisorRow[];
}

const checkDocument = ({
  check,
  declared,
  running,
  openness,
  fix,
  difference,
}: SecurityRow): SecurityCheckDocument => ({
  ...{ id: check.id, says: check.open, weight: check.weight },
  declared: declared ?? null,
  running: running ?? null,
  openness: openness ?? null,
  difference: difference ?? null,
  fix,
});

const serviceSecurity = ({ spec, running }: JudgedService, starter: Starter): ServiceSecurityDocument => {
  const rows = securityRows(spec, starter, running);
  const score = scoreOf(rows);
  return {
    ...{ project: spec.project, name: spec.name, score, rating: ratingOf(score) },
    declared_score: scoreOf(running === undefined ? rows : securityRows(spec, starter)),
    pid: running?.pid ?? null,
    differs: rows.some(({ difference }) => difference !== undefined),
    checks: rows.map(checkDocument),
  };
};

/** Returns the document about these services and the supervisor. */
export const securityDocument = ({
  services,
  starter,
  supervised,
  supervisor,
}: SecurityFacts): SecurityDocument => ({
  ...{ schema: 'sup.security/1', supervised, privileged: starter.privileged },
  services: services.map((service) => serviceSecurity(service, starter)),
  supervisor: supervisor.map(({ fix, ...row }) => ({ ...row, fix: fix ?? null })),
});
