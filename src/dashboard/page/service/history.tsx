// The history of a service: its state changes, the steps of its rollouts, its scheduled runs.
import { lengthText, ms } from '../../../streams/domain/time.ts';
import type {
  CronRunDocument,
  ExitDocument,
  InspectedService,
  RolloutRecordDocument,
  StageDocument,
} from '../../../streams/wire/documents/documents.ts';
import { exitWords, sizeWords } from '../model/page-words.ts';
import { DataTable } from '../parts/data-table.tsx';
import { TimeAgo } from '../parts/time-ago.tsx';

interface HistoryProps {
  readonly service: InspectedService;
  readonly now: number;
}

const stagesText = (steps: readonly StageDocument[]): string =>
  steps.map(({ step, took_ms: took }) => `${step} ${lengthText(ms(took))}`).join(' → ');

const exitText = (exit: ExitDocument | null): string => (exit === null ? '–' : exitWords(exit));

const rolloutRow = (rollout: RolloutRecordDocument, now: number) => [
  <TimeAgo at={rollout.started_at} now={now} />,
  rollout.strategy,
  rollout.error === null
    ? rollout.outcome
    : `${rollout.outcome}: ${rollout.error.message} (${rollout.error.code})`,
  stagesText(rollout.steps),
  `${rollout.old_run} → ${rollout.candidate_run ?? '–'}`,
];

const cronRow = (run: CronRunDocument, now: number) => [
  <TimeAgo at={run.due_at} now={now} />,
  run.by === undefined ? run.result : `${run.result} (${run.by})`,
  run.started_at === null || run.ended_at === null
    ? '–'
    : lengthText(ms(Date.parse(run.ended_at) - Date.parse(run.started_at))),
  exitText(run.exit),
  sizeWords(run.peak_memory_bytes),
];

export const History = ({ service: { history, rollouts, rollout, cron_runs: runs }, now }: HistoryProps) => (
  <>
    {rollout === null ? null : (
      <p>
        A {rollout.strategy} rollout is at <strong>{rollout.step}</strong>: {stagesText(rollout.steps)}
      </p>
    )}
    {rollouts.length === 0 ? null : (
      <DataTable
        caption="Rollouts"
        headings={['Began', 'Strategy', 'Outcome', 'Steps', 'Runs']}
        rows={rollouts.map((one) => rolloutRow(one, now)).reverse()}
      />
    )}
    {runs.length === 0 ? null : (
      <DataTable
        caption="Scheduled runs"
        headings={['Due', 'Result', 'Took', 'Exit', 'Peak memory']}
        rows={runs.map((one) => cronRow(one, now)).reverse()}
      />
    )}
    <DataTable
      caption="State changes"
      headings={['When', 'Change', 'Cause', 'Reason']}
      rows={history
        .map(({ at, from, to, cause, reason }) => [
          <TimeAgo at={at} now={now} />,
          from === to ? to : `${from} → ${to}`,
          cause,
          reason ?? '',
        ])
        .reverse()}
    />
  </>
);
