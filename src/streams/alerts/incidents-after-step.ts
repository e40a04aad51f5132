// Runs all alerting as one `scan` (the RxJS operator). It has three kinds of inputs: the steps of the kernel
// (the pure core), the times at which an attempt or the end of an incident is due, and the results of
// attempts to deliver. For each input, the `scan` returns a turn: the new state, and the attempts that begin
// now.
// Rules: `docs/behaviour.md`, "Alerts", "When the supervisor ends".
import {
  defer,
  distinctUntilChanged,
  EMPTY,
  ignoreElements,
  map,
  merge,
  mergeMap,
  type Observable,
  scan,
  type SchedulerLike,
  share,
  switchMap,
  tap,
} from 'rxjs';
import type { ServiceId } from '../domain/ids.ts';
import type { Clock } from '../domain/ports.ts';
import { between, type Instant } from '../domain/time.ts';
import { serviceAt, servicesOf } from '../kernel/service-table.ts';
import type { Step } from '../kernel/step.ts';
import { after } from '../operators/long-timer.ts';
import { mailbox } from '../operators/mailbox.ts';
import type { Work } from '../operators/one-at-a-time.ts';
import {
  type AlertState,
  type Attempted,
  attempted,
  type Delivery,
  enqueue,
  type Message,
  nextDue,
  type Settled,
  takeDue,
  withOutcomes,
} from './deliveries.ts';
import { judge, type Judged, type Notice, endSteady } from './incidents.ts';

type AlertInput =
  | { readonly type: 'stepped'; readonly step: Step }
  | { readonly type: 'due'; readonly at: Instant }
  | { readonly type: 'attempted'; readonly at: Instant; readonly outcome: Attempted };

export interface AlertTurn {
  readonly at: Instant;
  readonly state: AlertState;
  /** The attempts that begin now. */
  readonly begun: readonly Delivery[];
  readonly settled: readonly Settled[];
}

export interface AlertTurnPorts {
  readonly clock: Clock;
  readonly scheduler?: SchedulerLike;
  /** Returns the message about the begin or end of an incident, from the present state of its service. */
  messageOf(notice: Notice, at: Instant): Message;
  /** Makes one attempt. Emits why it failed, or `undefined` if the receiver accepted the message. */
  readonly send: Work<Delivery, string | undefined>;
}

/**
 * Returns the services to check after a step: the services that the step changed. After the event `booted`
 * these are all services, because all were just restored.
 */
const changedIn = ({ event, services, state }: Step, open: Judged['open']): Iterable<ServiceId> => {
  if (event.type !== 'booted') return services;
  const all = servicesOf(state.serviceTable).map(({ spec }) => spec.id);
  return new Set([...all, ...open.map(({ service }) => service)]);
};

const judgeStep = (open: Judged['open'], step: Step): Judged => {
  let judged: Judged = { open, notices: [] };
  for (const id of changedIn(step, open)) {
    const change = judge(judged.open, { id, service: serviceAt(step.state.serviceTable, id), at: step.at });
    judged = { open: change.open, notices: [...judged.notices, ...change.notices] };
  }
  return judged;
};

type Words = Pick<AlertTurnPorts, 'messageOf'>;
type News = Judged & Pick<AlertTurn, 'at' | 'settled'>;

/** Ends the incidents that are due to end, queues the messages, and begins the attempts that are due. */
const turnOf = (last: AlertState, { open, notices, at, settled }: News, { messageOf }: Words): AlertTurn => {
  const over = endSteady(open, at);
  const messages = [...notices, ...over.notices].map((notice) => messageOf(notice, at));
  const queued = enqueue(over.open === last.open ? last : { ...last, open: over.open }, messages, at);
  const all = [...settled, ...queued.settled];
  const { state, begun } = takeDue(queued.state, at);
  return { at, state: withOutcomes(state, all, at), begun, settled: all };
};

/**
 * Returns the function for the `scan`. For a step that does not affect alerts, this function returns the
 * object of the last turn.
 */
const turnAfter =
  (words: Words) =>
  (last: AlertTurn, input: AlertInput): AlertTurn => {
    const quiet = { open: last.state.open, notices: [], settled: [] };
    switch (input.type) {
      case 'stepped': {
        const { at, event, state } = input.step;
        // Incidents do not end with the supervisor: the next supervisor continues them.
        if (state.phase !== 'running') return last;
        const judged = judgeStep(quiet.open, input.step);
        const isNews = judged.open !== quiet.open || event.type === 'booted';
        return isNews ? turnOf(last.state, { ...quiet, ...judged, at }, words) : last;
      }
      case 'due':
        return turnOf(last.state, { ...quiet, at: input.at }, words);
      case 'attempted': {
        const { state, settled } = attempted(last.state, input.outcome, input.at);
        return turnOf(state, { ...quiet, settled, at: input.at }, words);
      }
    }
  };

/**
 * Makes a turn for each input that affects alerts. The subscriber receives each turn before the attempts of
 * that turn begin.
 */
export function alertTurns(
  step$: Observable<Step>,
  first: AlertState,
  ports: AlertTurnPorts,
): Observable<AlertTurn> {
  const { clock, scheduler } = ports;
  const due$ = ({ state, at }: AlertTurn): Observable<AlertInput> => {
    const due = nextDue(state, at);
    if (due === undefined) return EMPTY;
    return after(between(at, due), scheduler).pipe(map(() => ({ type: 'due', at: clock.now() })));
  };
  const attempt$ = (delivery: Delivery): Observable<AlertInput> =>
    ports
      .send(delivery)
      .pipe(
        map((failure) => ({ type: 'attempted', at: clock.now(), outcome: { id: delivery.id, failure } })),
      );
  return defer(() => {
    const { post, posted$ } = mailbox<AlertInput>();
    const turn$ = posted$.pipe(
      scan(turnAfter(ports), { at: clock.now(), state: first, begun: [], settled: [] }),
      distinctUntilChanged(),
      share(),
    );
    const input$ = merge(
      turn$.pipe(switchMap(due$)),
      turn$.pipe(mergeMap(({ begun }) => merge(...begun.map(attempt$)))),
      step$.pipe(map((step): AlertInput => ({ type: 'stepped', step }))),
    );
    return merge(turn$, input$.pipe(tap(post), ignoreElements()));
  });
}
