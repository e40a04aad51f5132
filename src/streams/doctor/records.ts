// What is on record: registry and state files.
import { fine, problem, type Finding } from './finding.ts';

interface RecordFacts {
  readonly manifests: number;
  readonly services: number;
  /** What of it cannot be used, a sentence each. */
  readonly warnings: readonly string[];
}

/** One finding for each record that cannot be read; one alone where all can. */
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
