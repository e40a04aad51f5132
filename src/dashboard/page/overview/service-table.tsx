// The table of services. Only the visible rows are in the document.
import type { RefObject } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { PageModel } from '../model/page-model.ts';
import { type TableLine, tableLines } from '../model/service-lines.ts';
import { visibleRange } from '../model/visible-range.ts';
import type { ServiceRow } from '../../page-messages.ts';
import { useSight } from '../parts/use-sight.ts';
import { Spacer } from '../parts/spacer.tsx';
import { TableRow } from './table-row.tsx';

const HEADINGS = ['Service', 'State', 'Health', 'Reason', 'CPU', 'Memory', 'Last change'];
const STEPS: Readonly<Record<string, number>> = {
  ArrowDown: 1,
  j: 1,
  ArrowUp: -1,
  k: -1,
  PageDown: 10,
  PageUp: -10,
};
/** In a window of at most this width, px, a row takes two lines (see `page.css`). */
const NARROW = 760;
const ROW_HEIGHT = { wide: 36, narrow: 48 };

/** Returns the index of the next line that has a link or a button. */
const nextLine = (lines: readonly TableLine[], from: number, step: number): number => {
  const direction = Math.sign(step);
  let at = Math.min(Math.max(from + step, 0), lines.length - 1);
  while (lines[at]?.tag === 'project') at += direction;
  return lines[at] === undefined ? from : at;
};

const edgeLine = (lines: readonly TableLine[], key: string): number | undefined => {
  if (key === 'Home') return nextLine(lines, -1, 1);
  return key === 'End' ? lines.length - 1 : undefined;
};

const Headings = () => (
  <div class="row headings" role="row" aria-rowindex={1}>
    {HEADINGS.map((heading) => (
      <div class="cell" role="columnheader" key={heading}>
        {heading}
      </div>
    ))}
  </div>
);

/** Scrolls until the row is visible and, when the row is drawn, moves the focus to it. */
const useFocusedLine = (list: RefObject<HTMLDivElement | null>, rowHeight: number) => {
  const [moved, setMoved] = useState<number>();
  useEffect(() => {
    const element = list.current;
    if (moved === undefined || element === null) return;
    const top = (moved + 1) * rowHeight;
    if (top - rowHeight < element.scrollTop) element.scrollTop = top - rowHeight;
    if (top + rowHeight > element.scrollTop + element.clientHeight)
      element.scrollTop = top + rowHeight - element.clientHeight;
    const frame = requestAnimationFrame(() => {
      element.querySelector<HTMLElement>(`[aria-rowindex="${moved + 2}"] [tabindex="0"]`)?.focus();
      setMoved(undefined);
    });
    return () => cancelAnimationFrame(frame);
  }, [moved, rowHeight]);
  return setMoved;
};

const toggled = (keys: ReadonlySet<string>, key: string): ReadonlySet<string> => {
  const after = new Set(keys);
  if (!after.delete(key)) after.add(key);
  return after;
};

interface ServiceTableProps {
  readonly model: PageModel;
  readonly rows: readonly ServiceRow[];
  /**
   * The service that the page showed before it showed the table again. The row of this service gets the
   * focus.
   */
  readonly focused: string | undefined;
}

interface CurrentLine {
  /** The index of the line that the Tab key reaches. */
  readonly current: number;
  readonly onKeyDown: (event: KeyboardEvent) => void;
}

const useCurrentLine = (
  lines: readonly TableLine[],
  focused: string | undefined,
  focusLine: (line: number) => void,
): CurrentLine => {
  const [chosen, setChosen] = useState(focused);
  const found = lines.findIndex(({ key, tag }) => key === chosen && tag !== 'project');
  const current = found === -1 ? nextLine(lines, -1, 1) : found;
  useEffect(() => {
    if (focused !== undefined && found !== -1) focusLine(found);
  }, []);
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = STEPS[event.key];
    const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey;
    const next = step === undefined ? edgeLine(lines, event.key) : nextLine(lines, current, step);
    if (next === undefined || !isPlain) return;
    event.preventDefault();
    setChosen(lines[next]?.key);
    focusLine(next);
  };
  return { current, onKeyDown };
};

export const ServiceTable = ({ model: { trends, changes, now }, rows, focused }: ServiceTableProps) => {
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set());
  const lines = useMemo(() => tableLines(rows, opened), [rows, opened]);
  const { ref, seen } = useSight();
  const rowHeight = innerWidth <= NARROW ? ROW_HEIGHT.narrow : ROW_HEIGHT.wide;
  const { current, onKeyDown } = useCurrentLine(lines, focused, useFocusedLine(ref, rowHeight));
  const { first, end } = visibleRange(lines.length, { ...seen, rowHeight });
  const onToggle = useRef((group: string) => setOpened((keys) => toggled(keys, group))).current;
  const count = lines.length + 1;
  return (
    <div
      class="table"
      role="table"
      aria-label="Services"
      aria-rowcount={count}
      ref={ref}
      onKeyDown={onKeyDown}
    >
      <Headings />
      <Spacer rows={first} height={rowHeight} />
      {lines.slice(first, end).map((line, at) => (
        <TableRow
          key={line.key}
          line={line}
          index={first + at + 2}
          isCurrent={first + at === current}
          trend={trends.get(line.key)}
          change={changes.get(line.key)}
          now={now}
          onToggle={onToggle}
        />
      ))}
      <Spacer rows={lines.length - end} height={rowHeight} />
    </div>
  );
};
