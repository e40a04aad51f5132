import { delay, NEVER, of, VirtualTimeScheduler } from 'rxjs';
import { expect, it } from 'vitest';
import { type AlertTurnPorts, alertTurns } from '../../../src/streams/alerts/incidents-after-step.ts';
import { type AlertState, type Message, NO_ALERTS, resumed } from '../../../src/streams/alerts/deliveries.ts';
import type { AlertSpec } from '../../../src/streams/domain/declared/spec.ts';
import { nameOf, projectOf } from '../../../src/streams/domain/ids.ts';
import type { Service } from '../../../src/streams/domain/service/service.ts';
import { between, ms, plus, seconds } from '../../../src/streams/domain/time.ts';
import type { Step } from '../../../src/streams/kernel/step.ts';
import { mailbox } from '../../../src/streams/operators/mailbox.ts';
import { bootWith } from '../../support/boot.ts';
import { listen } from '../../support/listen.ts';
import { specOf } from '../../support/spec.ts';
import { NOW, serviceIn } from '../../support/states.ts';

const ALERT: AlertSpec = {
  on: ['breaker-open', 'recovered'],
  to: { tag: 'url', url: 'http://a/' },
  timeout: seconds(1),
  recoveredAfter: seconds(60),
};

const broken = (name = 'web'): Service => serviceIn('broken', specOf(name, { alerts: [ALERT] }));

interface Play {
  readonly from?: AlertState;
  readonly services?: readonly Service[];
  readonly send: AlertTurnPorts['send'];
}

interface Played {
  /** The contents of the turns, with the second of each, and each call of `send`. */
  readonly said: readonly string[];
  readonly last: AlertState;
}

/** Starts a supervisor with these services, and lets ten minutes pass. */
const played = (
  scheduler: VirtualTimeScheduler,
  { from = NO_ALERTS, services = [broken()], send }: Play,
): Played => {
  const said: string[] = [];
  let last = from;
  const { post, posted$ } = mailbox<Step>();
  const turn$ = alertTurns(posted$, from, {
    scheduler,
    clock: { now: () => plus(NOW, ms(scheduler.now())) },
    messageOf: ({ incident: { alert, cause: begin, service }, end }): Message => {
      const names = { project: projectOf(service), service: nameOf(service) };
      const cause = end === undefined ? begin : 'recovered';
      return { alert, about: { cause, ...names, run: null, code: null }, body: '' };
    },
    send: (delivery) => {
      said.push(`send ${delivery.attempt}`);
      return send(delivery);
    },
  });
  const subscription = listen(turn$, ({ at, state, begun, settled }) => {
    const second = Math.floor(between(NOW, at) / 1000);
    begun.forEach(({ about, attempt }) => said.push(`${second} s: ${about.cause}, attempt ${attempt}`));
    settled.forEach(({ failure = 'sent' }) => said.push(`${second} s: ${failure}`));
    last = state;
  });
  post(bootWith({ restored: services }));
  scheduler.maxFrames = 600_000;
  scheduler.flush();
  subscription.unsubscribe();
  return { said, last };
};

it('a turn is emitted before its attempts begin, and the result of an attempt causes the next turn', () => {
  const scheduler = new VirtualTimeScheduler();
  const { said, last } = played(scheduler, { send: () => of(undefined).pipe(delay(2_000, scheduler)) });
  expect(said).toEqual(['0 s: breaker-open, attempt 1', 'send 1', '2 s: sent']);
  expect(last).toMatchObject({ deliveries: [], open: [{ cause: 'breaker-open' }] });
});

it('a failed attempt is repeated when it is due, and the last failure is recorded in its incident', () => {
  const { said, last } = played(new VirtualTimeScheduler(), { send: () => of('status 503') });
  const pauses = [0, 5, 30, 120, 300];
  const times = said.flatMap((text) => /^(\d+) s: breaker-open/.exec(text)?.[1] ?? []).map(Number);
  expect(times).toHaveLength(5);
  times.forEach((time, index) => {
    const pause = time - (times[index - 1] ?? 0);
    expect(pause).toBeGreaterThanOrEqual(pauses[index] ?? 0);
    expect(pause).toBeLessThanOrEqual((pauses[index] ?? 0) * 1.25 + 1);
  });
  expect(said.at(-1)).toBe(`${times.at(-1) ?? ''} s: status 503`);
  expect(last.open).toMatchObject([
    { undelivered: { cause: 'breaker-open', attempts: 5, detail: 'status 503' } },
  ]);
});

it('a message that was being sent when the supervisor died is sent again, and the incident begins only once', () => {
  const hung = played(new VirtualTimeScheduler(), { send: () => NEVER }).last;
  expect(hung.deliveries).toMatchObject([{ sending: true }]);
  const { said, last } = played(new VirtualTimeScheduler(), {
    from: resumed(hung),
    send: () => of(undefined),
  });
  expect(said).toEqual(['0 s: breaker-open, attempt 1', 'send 1', '0 s: sent']);
  expect(last.deliveries).toEqual([]);
});

it('if a thousand incidents begin at once, messages above the limit are recorded as not delivered', () => {
  const services = Array.from({ length: 1_000 }, (_, index) => broken(`s${index}`));
  const { last } = played(new VirtualTimeScheduler(), { services, send: () => NEVER });
  expect(last.deliveries).toHaveLength(200);
  expect(last.deliveries.filter(({ sending }) => sending)).toHaveLength(2);
  expect(last.open.filter(({ undelivered }) => undelivered !== undefined)).toHaveLength(800);
});

it('services without alerts leave the state as it is', () => {
  const services = [serviceIn('broken')];
  expect(played(new VirtualTimeScheduler(), { services, send: () => NEVER }).last).toBe(NO_ALERTS);
});
