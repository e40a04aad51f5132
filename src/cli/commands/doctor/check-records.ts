// Checks the records that a supervisor keeps: the registry of manifests and the state files of services.
import { readAlerts } from '../../../sources/store/alert-record.ts';
import type { Failing } from '../../../streams/alerts/deliveries.ts';
import { receiverText } from '../../../streams/views/events/alert-events.ts';
import { timeText } from '../../../streams/views/words/time-text.ts';
import { type Finding, fine, problem, checkOf, warning } from './finding.ts';
import { readRecorded } from '../../../client/recorded.ts';
import type { Context } from '../../context.ts';

interface RecordFacts {
  readonly manifests: number;
  readonly services: number;
  /** Sentences about records that cannot be read. */
  readonly warnings: readonly string[];
  /** Receivers of alerts to which the last message could not be delivered. */
  readonly failing: readonly Failing[];
}

/** Returns one finding for each record that cannot be read, or a single finding if all can be read. */
const judgeRecords = ({ manifests, services, warnings }: RecordFacts): readonly Finding[] =>
  warnings.length === 0
    ? [fine('records', `manifests registered: ${manifests}, services on record: ${services}`)]
    : warnings.map((says, at) =>
        problem(
          `records ${at + 1}`,
          says,
          'the next supervisor keeps what it cannot read beside it and goes on without; to register again: sup start -c <manifest>',
        ),
      );

const judgeAlerts = ({ failing }: RecordFacts): readonly Finding[] =>
  failing.map(({ to, at, detail }, index) =>
    warning(
      `alerts ${index + 1}`,
      `the last alert to ${receiverText(to)} was not delivered (${timeText(at)}): ${detail}`,
      'to try the receivers of a manifest: sup validate --test-alerts -c <manifest>',
    ),
  );

const judge = (facts: RecordFacts): readonly Finding[] => [...judgeRecords(facts), ...judgeAlerts(facts)];

const look = (context: Context): RecordFacts => {
  const { manifests, services, warnings } = readRecorded(context);
  return {
    manifests: manifests.length,
    services: services.length,
    warnings,
    failing: readAlerts(context.dataDir).failing,
  };
};

export const records = checkOf('records', { look, judge });
