// Checks the records that a supervisor keeps: the registry of manifests and the state files of services.
import { type Finding, fine, problem, checkOf } from './finding.ts';
import { readRecorded } from '../../offline/recorded.ts';
import type { Context } from '../../context.ts';

interface RecordFacts {
  readonly manifests: number;
  readonly services: number;
  /** Sentences about records that cannot be read. */
  readonly warnings: readonly string[];
}

/** Returns one finding for each record that cannot be read; if all can be read, a single one. */
const judge = ({ manifests, services, warnings }: RecordFacts): readonly Finding[] =>
  warnings.length === 0
    ? [fine('records', `manifests registered: ${manifests}, services on record: ${services}`)]
    : warnings.map((says, at) =>
        problem(
          `records ${at + 1}`,
          says,
          'the next supervisor keeps what it cannot read beside it and goes on without; to register again: sup start -c <manifest>',
        ),
      );

const look = (context: Context): RecordFacts => {
  const { manifests, services, warnings } = readRecorded(context);
  return { manifests: manifests.length, services: services.length, warnings };
};

export const records = checkOf('records', { look, judge });
