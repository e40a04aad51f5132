// The limits of one page: how many of its questions may be open, and how many it may ask.
import { concat, map, NEVER, of, Subject } from 'rxjs';
import { describe, expect, it } from 'vitest';
import type { DashboardAnswer, FromServer, Question } from '../../../src/dashboard/page-messages.ts';
import { dialogue } from '../../../src/dashboard/sockets/page-dialogue.ts';

interface Talk {
  readonly send: (question: object) => void;
  /** The answers so far: `id`, and `ok` or why the question was refused. */
  readonly answers: () => readonly string[];
  readonly clock: { now: number };
}

const LOG = { ask: 'logs', services: [], lines: 1, follow: true };
const PLAN = { ask: 'plan' };

/** A page whose questions are answered at once; those for logs stay open. */
const talk = (): Talk => {
  const message$ = new Subject<string>();
  const clock = { now: 1_000 };
  const received: FromServer[] = [];
  dialogue(message$, {
    hello: { news: 'hello', version: '1', host: 'box', actions: false },
    news$: NEVER,
    keepsUp: () => true,
    now: () => clock.now,
    answered: ({ ask }: Question) => {
      const end: DashboardAnswer = { to: 'end' };
      return ask === 'logs' ? concat(of(end), NEVER) : of(end);
    },
  })
    .pipe(map((text) => JSON.parse(text) as FromServer))
    .subscribe({
      next: (message) => received.push(message),
      error: (thrown: unknown) => expect.unreachable(String(thrown)),
    });
  return {
    send: (question) => message$.next(JSON.stringify(question)),
    answers: () =>
      received.flatMap((message) => {
        if (!('to' in message)) return [];
        return `${message.id} ${message.to === 'failed' ? message.error.message : 'ok'}`;
      }),
    clock,
  };
};

const numbers = (count: number): readonly number[] => Array.from({ length: count }, (_, id) => id);

describe('the questions of one page', () => {
  it('at most 32 are open, and one that ends makes room for another', () => {
    const { send, answers } = talk();
    for (const id of numbers(33)) send({ id, ...LOG });
    expect(answers().slice(0, 32)).toEqual(numbers(32).map((id) => `${id} ok`));
    expect(answers().at(-1)).toMatch(/^32 .*more than 32 questions are open/);
    send({ id: 40, ask: 'end', of: 3 });
    send({ id: 41, ...LOG });
    expect(answers().slice(33)).toEqual(['40 ok', '41 ok']);
  });

  it('at most 100 are answered at once, then 50 a second', () => {
    const { send, answers, clock } = talk();
    for (const id of numbers(101)) send({ id, ...PLAN });
    expect(answers().slice(0, 100)).toEqual(numbers(100).map((id) => `${id} ok`));
    expect(answers().at(-1)).toMatch(/^100 .*more than 50 questions in a second/);
    clock.now += 1_000;
    for (const id of numbers(51)) send({ id: 200 + id, ...PLAN });
    expect(answers().slice(101, 151)).toEqual(numbers(50).map((id) => `${200 + id} ok`));
    expect(answers().at(-1)).toMatch(/^250 .*more than 50 questions in a second/);
  });

  it('messages that are no questions count too', () => {
    const { send, answers } = talk();
    for (const id of numbers(100)) send({ id, ask: 'nonsense' });
    send({ id: 100, ...PLAN });
    expect(answers()[0]).toMatch(/^0 .*is not a known question/);
    expect(answers().at(-1)).toMatch(/^100 .*more than 50 questions in a second/);
  });

  it('a number of an open question is refused, and that of an answered one is not', () => {
    const { send, answers } = talk();
    send({ id: 1, ...LOG });
    send({ id: 1, ...PLAN });
    send({ id: 2, ...PLAN });
    send({ id: 2, ...PLAN });
    expect(answers()[1]).toMatch(/^1 .*id: 1 is in use/);
    expect(answers().slice(2)).toEqual(['2 ok', '2 ok']);
  });
});
