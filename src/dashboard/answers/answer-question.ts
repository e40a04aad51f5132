// Answers the questions that a page sends over its WebSocket.
import { catchError, concat, defer, map, type Observable, of, switchMap, take } from 'rxjs';
import { ClientFailure } from '../../client/client-failure.ts';
import type { Sup } from '../../client/api/sup-interface.ts';
import { messageOf } from '../../streams/domain/errors/thrown.ts';
import { Failure } from '../../streams/views/errors/command-failure.ts';
import { errorDocument } from '../../streams/views/errors/error-text.ts';
import type { ErrorDocument } from '../../streams/wire/documents/basic-documents.ts';
import { logBatches } from '../live/log-batches.ts';
import type { PageReader, SharedNews } from '../live/reader-news.ts';
import { timeline } from '../live/timeline-lanes.ts';
import type { DashboardAnswer, LogQuestion, Question } from '../page-messages.ts';
import { carryOut, planned } from './carry-out-action.ts';
import { accountOf } from './service-account.ts';

interface AnswerPorts extends PageReader {
  readonly sup: Sup;
  readonly news$: Observable<SharedNews>;
  /** True if pages may change services (`--allow-actions`). */
  readonly actions: boolean;
  readonly now: () => number;
}

type QuestionOf<A extends Question['ask']> = Extract<Question, { readonly ask: A }>;

/**
 * The limit on the log lines that one question reads, all services together. It is exceeded if there are many
 * services, because at least `MIN_LINES` lines of each service are read.
 */
const MOST_READ = 20_000;
const MIN_LINES = 50;

/** Returns a regular expression that matches exactly this text, ignoring case. */
const expressionOf = (search: string): RegExp =>
  new RegExp(search.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'), 'i');

/** Returns how many log lines to read of each service. These are the last lines of its log. */
const linesOfEach = (lines: number, services: number): number =>
  Math.min(lines, Math.max(MIN_LINES, Math.ceil(MOST_READ / Math.max(1, services))));

function logs(
  { services, lines, search, follow }: LogQuestion,
  ports: AnswerPorts,
): Observable<DashboardAnswer> {
  const query = { follow, ...(search !== undefined && { grep: expressionOf(search) }) };
  const line$ = ports.news$.pipe(
    take(1),
    switchMap(({ seen }) => {
      const each = linesOfEach(lines, services.length === 0 ? seen.rows.size : services.length);
      return ports.sup.logs$(services.length === 0 ? {} : { services }, { ...query, lines: each });
    }),
  );
  return concat(
    logBatches(line$, ports).pipe(map((batch): DashboardAnswer => ({ to: 'logs', ...batch }))),
    of<DashboardAnswer>({ to: 'end' }),
  );
}

function lanes({ since, services }: QuestionOf<'timeline'>, ports: AnswerPorts): Observable<DashboardAnswer> {
  return ports.news$.pipe(
    take(1),
    switchMap(async ({ seen: { rows } }): Promise<DashboardAnswer> => {
      const events = await ports.sup.events();
      const from = Date.parse(events[0]?.at ?? '');
      return {
        to: 'timeline',
        lanes: timeline(events, rows, { since, ...(services && { services }) }),
        ...(from > since && { cut: from }),
      };
    }),
  );
}

function answered(question: Question, ports: AnswerPorts): Observable<DashboardAnswer> {
  const { sup, actions } = ports;
  switch (question.ask) {
    case 'service':
      return defer(() => accountOf(sup, question)).pipe(map((account) => ({ to: 'service', account })));
    case 'timeline':
      return lanes(question, ports);
    case 'logs':
      return logs(question, ports);
    case 'plan':
      return defer(() => planned(sup)).pipe(map((plan) => ({ to: 'plan', planned: plan })));
    case 'act':
      return defer(() => carryOut(sup, question.action, actions)).pipe(map((done) => ({ to: 'act', done })));
    case 'end':
      return of({ to: 'end' });
  }
}

const documentOf = (thrown: unknown): ErrorDocument => {
  if (thrown instanceof ClientFailure || thrown instanceof Failure) return thrown.document;
  const detail = messageOf(thrown);
  return thrown instanceof RangeError
    ? errorDocument({ code: 'ERR0239', detail })
    : errorDocument({ code: 'ERR0001', detail });
};

/** Emits the answers to a question. Never fails: a failure is emitted as the last answer. */
export function answerQuestion(question: Question, ports: AnswerPorts): Observable<DashboardAnswer> {
  return defer(() => answered(question, ports)).pipe(
    catchError((thrown: unknown) => of<DashboardAnswer>({ to: 'failed', error: documentOf(thrown) })),
  );
}
