// A row of the table of services: a project, a group of replicas, or a service.
import { useMemo } from 'preact/hooks';
import type { EventDocument } from '../../../streams/wire/documents/event-document.ts';
import type { HealthWord } from '../../../streams/wire/documents/documents.ts';
import { changeText, cpuWords, projectTitle, reasonText, sizeWords } from '../model/page-words.ts';
import type { RecentUse } from '../model/page-model.ts';
import type { TableLine } from '../model/service-lines.ts';
import { fragmentOf } from '../model/page-route.ts';
import { Sparkline } from '../parts/sparkline.tsx';
import { StateSign } from '../parts/state-sign.tsx';
import { TimeAgo } from '../parts/time-ago.tsx';

type Line<T extends TableLine['tag']> = Extract<TableLine, { tag: T }>;

interface RowProps {
  readonly line: TableLine;
  /** The number of the row, from 1. The heading is row 1. */
  readonly index: number;
  /** True if the Tab key reaches this row. Only one row of the table has it. */
  readonly isCurrent: boolean;
  readonly trend: RecentUse | undefined;
  readonly change: EventDocument | undefined;
  readonly now: number;
  readonly onToggle: (group: string) => void;
}

const ProjectRow = ({
  line: { project, count },
  index,
}: {
  readonly line: Line<'project'>;
  readonly index: number;
}) => (
  <div class="row project-row" role="row" aria-rowindex={index}>
    <div class="cell" role="rowheader">
      {projectTitle(project)} <span class="quiet">{count === 1 ? '1 service' : `${count} services`}</span>
    </div>
  </div>
);

const Health = ({ health }: { readonly health: HealthWord }) => (
  <div class={`cell health health-${health}`} role="cell">
    {health === 'unknown' ? '–' : health}
  </div>
);

const Use = ({ values, text, least }: { values: RecentUse['cpu']; text: string; least: number }) => (
  <div class="cell use" role="cell">
    <Sparkline values={values} least={least} />
    <span class="number">{text}</span>
  </div>
);

const Change = ({ change, now }: Pick<RowProps, 'change' | 'now'>) => (
  <div class="cell change" role="cell">
    {change === undefined ? (
      <span class="quiet">–</span>
    ) : (
      <>
        <span class="quiet">
          <TimeAgo at={change.at} now={now} />
        </span>{' '}
        {changeText(change)}
      </>
    )}
  </div>
);

const GroupRow = ({ line, index, isCurrent, onToggle }: RowProps & { readonly line: Line<'group'> }) => {
  const { group, rows, isOpen, key } = line;
  const sum = (values: readonly (number | null)[]): number =>
    values.reduce<number>((all, one) => all + (one ?? 0), 0);
  const reasons = [...new Set(rows.map(reasonText).filter((text) => text !== ''))];
  return (
    <div class="row" role="row" aria-rowindex={index}>
      <div class="cell name" role="rowheader">
        <button
          type="button"
          class="fold"
          aria-expanded={isOpen}
          tabIndex={isCurrent ? 0 : -1}
          onClick={() => onToggle(key)}
        >
          {group.name}
        </button>
      </div>
      <div class="cell" role="cell">
        <StateSign state={group.state} more={`${group.ready}/${group.replicas}`} />
      </div>
      <Health health={group.health} />
      <div class="cell reason" role="cell">
        {reasons.join('; ')}
      </div>
      <Use values={[]} text={cpuWords(sum(rows.map((row) => row.cpu_percent)))} least={1} />
      <Use values={[]} text={sizeWords(sum(rows.map((row) => row.rss_bytes)))} least={1} />
      <div class="cell change" role="cell" />
    </div>
  );
};

const NO_TREND: RecentUse = { cpu: [], rss: [] };

const ServiceLine = (props: RowProps & { readonly line: Line<'service'> }) => {
  const { line, index, isCurrent, trend = NO_TREND, change, now } = props;
  const { row, isInstance } = line;
  const reason = reasonText(row);
  return (
    <div class={isInstance ? 'row instance' : 'row'} role="row" aria-rowindex={index}>
      <div class="cell name" role="rowheader">
        <a href={fragmentOf(row.id)} tabIndex={isCurrent ? 0 : -1}>
          {row.name}
        </a>
      </div>
      <div class="cell" role="cell">
        <StateSign state={row.state} more={row.awaits_restart ? '(changed)' : ''} />
      </div>
      <Health health={row.health} />
      <div class="cell reason" role="cell" title={reason}>
        {reason}
      </div>
      <Use values={trend.cpu} text={cpuWords(trend.cpu.at(-1) ?? row.cpu_percent)} least={5} />
      <Use values={trend.rss} text={sizeWords(trend.rss.at(-1) ?? row.rss_bytes)} least={1} />
      <Change change={change} now={now} />
    </div>
  );
};

/** Draws a row. It is drawn again only if its data has changed. */
export const TableRow = (props: RowProps) => {
  const { line, index, isCurrent, trend, change, onToggle } = props;
  // Without a recent change the row shows no age, so the row is not drawn again every second.
  const now = change === undefined ? 0 : props.now;
  return useMemo(() => {
    if (line.tag === 'project') return <ProjectRow line={line} index={index} />;
    if (line.tag === 'group') return <GroupRow {...props} line={line} />;
    return <ServiceLine {...props} line={line} />;
  }, [line, index, isCurrent, trend, change, now, onToggle]);
};
