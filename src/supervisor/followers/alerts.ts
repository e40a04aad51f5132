// Sends alerts: derives incidents from state changes, keeps what is open and not delivered in
// `alerts.json`, and makes the attempts that are due. Nothing here holds up a service.
// Rules: `docs/behaviour.md`, "Alerts", "When the supervisor ends", "A receiver never disturbs a service".
import { Observable } from 'rxjs';
import { replaceFile } from '../../os/files/replace-file.ts';
import { type AlertPorts, sendAlert } from '../../sinks/alerts/send-alert.ts';
import { wallClock } from '../../sources/clocks.ts';
import { readAlerts } from '../../sources/store/alert-record.ts';
import {
  type AlertState,
  attempted,
  type Delivery,
  enqueue,
  type Message,
  MOST_WAITING,
  nextDue,
  takeDue,
} from '../../streams/alerts/deliveries.ts';
import { judge, type Judged, settle } from '../../streams/alerts/incidents.ts';
import { messageOf } from '../../streams/domain/errors/thrown.ts';
import type { ServiceId } from '../../streams/domain/ids.ts';
import type { Instant } from '../../streams/domain/time.ts';
import type { Derived } from '../../streams/kernel/derived/derived.ts';
import { serviceAt, servicesOf } from '../../streams/kernel/service-table.ts';
import type { SupervisorState } from '../../streams/kernel/state.ts';
import type { Step } from '../../streams/kernel/step.ts';
import {
  alertMessage,
  notDelivered,
  notDeliveredEvent,
  sentEvent,
} from '../../streams/views/events/alert-events.ts';
import { errorSentence } from '../../streams/domain/errors/error-sentence.ts';
import { layoutOf } from '../../streams/wire/layout.ts';
import type { EventDocument } from '../../streams/wire/documents/event-document.ts';

interface AlertDeps extends AlertPorts {
  readonly read: () => SupervisorState;
  readonly onEvent: (event: EventDocument) => void;
  readonly onTrouble: (text: string) => void;
}

/** A timer of Node with a longer delay would fire at once; the wait then goes on. */
const LONGEST_WAIT_MS = 3_600_000;

/** Returns the services to look at after a step; after a start all, since their states were read. */
const changedIn = ({ event, services, state }: Step, { open }: AlertState): Iterable<ServiceId> => {
  if (event.type !== 'booted') return services;
  const all = servicesOf(state.roster).map(({ spec }) => spec.id);
  return new Set([...all, ...open.map(({ service }) => service)]);
};

class AlertDesk {
  readonly #deps: AlertDeps;
  #state: AlertState;
  #written: AlertState;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;
  #isTold = false;

  constructor(deps: AlertDeps) {
    this.#deps = deps;
    this.#state = readAlerts(deps.dataDir, deps.onTrouble);
    this.#written = this.#state;
  }

  /** Takes in a step. A shutdown is no news: what is open stays open for the next supervisor. */
  follow(step: Step): void {
    if (step.state.phase !== 'running') return;
    const before = this.#state;
    for (const id of changedIn(step, before)) {
      const service = serviceAt(step.state.roster, id);
      if (service?.spec.alerts === undefined && this.#state.open.length === 0) continue;
      this.#take(judge(this.#state.open, { id, service, at: step.at }), step.at);
    }
    if (this.#state !== before || step.event.type === 'booted') this.#advance(step.at);
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
  }

  #take({ open, notices }: Judged, at: Instant): void {
    if (open !== this.#state.open) this.#state = { ...this.#state, open };
    if (notices.length === 0) return;
    const { roster } = this.#deps.read();
    const context = { at, byId: (id: ServiceId) => serviceAt(roster, id) };
    const messages = notices.map((notice) => alertMessage(notice, context));
    const { state, refused } = enqueue(this.#state, messages, at);
    this.#state = state;
    refused.forEach((message) => this.#giveUp(message, 0, `${MOST_WAITING} alerts wait already`));
  }

  /** Does what is due now, and sets the timer for what is due later. */
  #advance(at: Instant): void {
    this.#take(settle(this.#state.open, at), at);
    const { state, begun } = takeDue(this.#state, at);
    this.#state = state;
    this.#record();
    begun.forEach((delivery) => void this.#attempt(delivery));
    this.#setTimer(at);
  }

  #setTimer(at: Instant): void {
    clearTimeout(this.#timer);
    const due = nextDue(this.#state, at);
    if (due === undefined || this.#isClosed) return;
    const wait = Math.min(LONGEST_WAIT_MS, Math.max(1, due - at));
    this.#timer = setTimeout(() => this.#advance(wallClock.now()), wait);
  }

  async #attempt(delivery: Delivery): Promise<void> {
    const failure = await sendAlert(delivery, this.#deps);
    if (this.#isClosed) return;
    const at = wallClock.now();
    const ended = attempted(this.#state, { id: delivery.id, failure }, at);
    if (ended === undefined) return;
    this.#state = ended.state;
    if (ended.outcome === 'sent') this.#deps.onEvent(sentEvent(delivery, at));
    if (ended.outcome === 'given-up') this.#giveUp(delivery, delivery.attempt, failure ?? '');
    this.#advance(at);
  }

  #giveUp(message: Message, attempts: number, detail: string): void {
    const error = notDelivered(message, attempts, detail);
    this.#deps.onEvent(notDeliveredEvent(message, error, wallClock.now()));
    this.#deps.onTrouble(`${error.code} ${errorSentence(error)}`);
  }

  /** Writes the state before anything is sent, so that no later supervisor begins the same message. */
  #record(): void {
    if (this.#state === this.#written) return;
    try {
      const text = JSON.stringify(this.#state);
      replaceFile(layoutOf(this.#deps.dataDir).alerts, text, { backup: false, lasting: 'nothing' });
      this.#written = this.#state;
      this.#isTold = false;
    } catch (error) {
      if (!this.#isTold)
        this.#deps.onTrouble(`alerts cannot be saved: ${messageOf(error)}; they are sent all the same`);
      this.#isTold = true;
    }
  }
}

/** While subscribed, sends alerts about the services of the state. Never emits. */
export function alerting({ step$ }: Pick<Derived, 'step$'>, deps: AlertDeps): Observable<never> {
  return new Observable((subscriber) => {
    const desk = new AlertDesk(deps);
    subscriber.add(
      step$.subscribe({
        next: (step) => desk.follow(step),
        error: (error: unknown) => subscriber.error(error),
      }),
    );
    subscriber.add(() => desk.close());
  });
}
