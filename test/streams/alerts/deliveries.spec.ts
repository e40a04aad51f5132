import { describe, expect, it } from 'vitest';
import {
  attempted,
  enqueue,
  nextDue,
  NO_ALERTS,
  resumed,
  takeDue,
  type AlertState,
  type Message,
} from '../../../src/streams/alerts/deliveries.ts';
import { instant, ms, plus, seconds, type Instant } from '../../../src/streams/domain/time.ts';

const ZERO = instant(1_000_000);
const at = (second: number): Instant => plus(ZERO, seconds(second));

const message = (service: string, url = 'http://a/'): Message => ({
  alert: { on: ['failed', 'recovered'], to: { tag: 'url', url }, timeout: ms(1), recoveredAfter: ms(0) },
  about: { cause: 'failed', project: 'shop', service, run: 1, code: null },
  body: '{}',
});

const waiting = (...messages: readonly Message[]): AlertState => enqueue(NO_ALERTS, messages, ZERO).state;

/** Fails every attempt as soon as it is due, and returns when each began, in seconds. */
const failAll = (first: AlertState): readonly number[] => {
  const times: number[] = [];
  let state = first;
  let now: Instant | undefined = ZERO;
  while (now !== undefined) {
    const taken = takeDue(state, now);
    state = taken.state;
    for (const { id } of taken.begun) {
      times.push(Math.round((now - ZERO) / 1000));
      state = attempted(state, { id, failure: 'no' }, now).state;
    }
    now = nextDue(state, now);
  }
  return times;
};

describe('deliveries', () => {
  it('a message is tried five times, with growing pauses that are the same each time', () => {
    const times = failAll(waiting(message('web')));
    expect(times).toHaveLength(5);
    const pauses = times.slice(1).map((time, index) => time - (times[index] ?? 0));
    [5, 30, 120, 300].forEach((pause, index) => {
      expect(pauses[index]).toBeGreaterThanOrEqual(pause);
      expect(pauses[index]).toBeLessThanOrEqual(pause * 1.25 + 1);
    });
    expect(failAll(waiting(message('web')))).toEqual(times);
  });

  it('messages of one service to one receiver are sent in order, and do not delay other messages', () => {
    const begun = takeDue(waiting(message('web'), message('web'), message('db')), ZERO).begun;
    expect(begun.map(({ about }) => about.service)).toEqual(['web', 'db']);
  });

  it('at most two messages are sent at once', () => {
    const taken = takeDue(waiting(message('a'), message('b'), message('c')), ZERO);
    expect(taken.begun).toHaveLength(2);
    expect(takeDue(taken.state, at(1)).begun).toEqual([]);
    const [first] = taken.begun;
    const ended = attempted(taken.state, { id: first?.id ?? '' }, at(1));
    expect(ended.settled).toMatchObject([{ attempts: 1, failure: undefined }]);
    expect(takeDue(ended.state, at(1)).begun.map(({ about }) => about.service)).toEqual(['c']);
  });

  it('the number of waiting messages is limited, and further ones are given up', () => {
    const many = Array.from({ length: 202 }, (_, index) => message(`s${index}`));
    const { state, settled } = enqueue(NO_ALERTS, many, ZERO);
    expect(state.deliveries).toHaveLength(200);
    expect(settled).toMatchObject([
      { message: { about: { service: 's200' } }, attempts: 0, failure: '200 alerts wait already' },
      { message: { about: { service: 's201' } } },
    ]);
  });

  it('a failure of a receiver is remembered until the receiver accepts a message', () => {
    const taken = takeDue(waiting(message('web')), ZERO);
    const { id } = taken.begun[0]!;
    const failed = attempted(taken.state, { id, failure: 'status 503' }, ZERO);
    expect(failed.settled).toEqual([]);
    expect(failed.state.failing).toEqual([
      { to: { tag: 'url', url: 'http://a/' }, at: ZERO, detail: 'status 503' },
    ]);
    expect(attempted(takeDue(failed.state, at(60)).state, { id }, at(60)).state.failing).toEqual([]);
  });

  it('an attempt whose result is unknown is repeated with the same id and attempt number', () => {
    const taken = takeDue(waiting(message('web')), ZERO);
    expect(takeDue(resumed(taken.state), at(9)).begun).toEqual(
      taken.begun.map(({ sending: _, ...one }) => one),
    );
  });

  it('a message that could not be sent for a day is given up at its next failure', () => {
    const late = at(25 * 3600);
    const taken = takeDue(waiting(message('web')), late);
    expect(attempted(taken.state, { id: taken.begun[0]!.id, failure: 'no' }, late)).toMatchObject({
      state: { deliveries: [] },
      settled: [{ attempts: 1, failure: 'no' }],
    });
  });

  it('a clock that is set back delays no attempt', () => {
    const before = instant(ZERO - 86_400_000);
    expect(nextDue(waiting(message('web')), before)).toBe(before);
    expect(takeDue(waiting(message('web')), before).begun).toHaveLength(1);
  });
});
