// The records: registry and state files.
import { fine, problem, type Finding } from './finding.ts';

interface RecordFacts {
  readonly manifests: number;
  readonly services: number;
  /** Records that cannot be used, a sentence each. */
  readonly warnings: readonly string[];
}

/** Returns one finding for each unreadable record; a single one if all are readable. */
export const judgeRecords = ({ manifests, services, warnings }: RecordFacts): readonly Finding[] =>
  warnings.length === 0
    ? [fine('records', `manifests registered: ${manifests}, services on record: ${services}`)]
    : warnings.map((says, at) =>
        problem(
          `records ${at + 1}`,
          says,
          'the next supervisor keeps what it cannot read beside it and goes on without; to register again: sup start -c <manifest>',
        ),
      );
