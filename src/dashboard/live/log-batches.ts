// Sends log lines to one page, several in one message. If the page reads too slowly, only the newest lines
// are kept until it has caught up. The dropped lines are counted.
import { buffer, concat, filter, interval, map, type Observable, of, scan, type SchedulerLike } from 'rxjs';
import type { LogDocument } from '../../streams/wire/documents/basic-documents.ts';
import type { PageReader } from './reader-news.ts';

const EVERY_MS = 100;
/** The limits of one message: the number of lines, and the number of characters. */
export const MOST_LINES = 5_000;
const MOST_CHARACTERS = 2_000_000;

interface LogBatch {
  readonly lines: readonly LogDocument[];
  readonly missed: number;
}

/** Returns the newest lines that fit in one message. */
const newest = (lines: readonly LogDocument[]): readonly LogDocument[] => {
  let characters = 0;
  let from = lines.length;
  while (from > Math.max(0, lines.length - MOST_LINES)) {
    characters += lines[from - 1]?.text.length ?? 0;
    if (characters > MOST_CHARACTERS) break;
    from -= 1;
  }
  return lines.slice(from);
};

interface Backlog extends LogBatch {
  /** The batch to send now; absent if nothing is sent. */
  readonly sent?: LogBatch;
}

const NOTHING: LogBatch = { lines: [], missed: 0 };

const isWorthSending = ({ lines, missed }: LogBatch): boolean => lines.length > 0 || missed > 0;

/**
 * Emits batches of lines, at most ten a second. When `line$` completes, emits all remaining lines at once.
 */
export function logBatches(
  line$: Observable<LogDocument>,
  { keepsUp, scheduler }: PageReader,
): Observable<LogBatch> {
  const add = ({ lines, missed }: Backlog, { fresh, isLast }: Fresh): Backlog => {
    const all = fresh.length === 0 ? lines : newest([...lines, ...fresh]);
    const batch = { lines: all, missed: missed + lines.length + fresh.length - all.length };
    return isWorthSending(batch) && (isLast || keepsUp()) ? { ...NOTHING, sent: batch } : batch;
  };
  return fresh(line$, scheduler).pipe(
    scan(add, NOTHING),
    map(({ sent }: Backlog) => sent),
    filter((sent) => sent !== undefined),
  );
}

interface Fresh {
  readonly fresh: readonly LogDocument[];
  readonly isLast: boolean;
}

function fresh(line$: Observable<LogDocument>, scheduler?: SchedulerLike): Observable<Fresh> {
  const often$ = interval(EVERY_MS, scheduler);
  return concat(
    line$.pipe(
      buffer(often$),
      map((lines) => ({ fresh: lines, isLast: false })),
    ),
    of({ fresh: [], isLast: true }),
  );
}
