import { describe, expect, it } from 'vitest';
import type { Command } from '../../../../src/streams/domain/command.ts';
import type { Effect } from '../../../../src/streams/domain/effect.ts';
import type { SupError } from '../../../../src/streams/domain/errors/error.ts';
import { requestId, NO_CLIENT } from '../../../../src/streams/domain/ids.ts';
import { instant } from '../../../../src/streams/domain/time.ts';
import { answer, refuse } from '../../../../src/streams/kernel/requests/answer/command-reply.ts';
import { openDraft } from '../../../../src/streams/kernel/draft.ts';
import { signalRequest, type Request } from '../../../../src/streams/kernel/requests/request.ts';
import { INITIAL_STATE } from '../../../../src/streams/kernel/state.ts';
import { idOf } from '../../../support/spec.ts';

const failed: SupError = { code: 'ERR0101', service: idOf('db'), status: { tag: 'code', code: 1 } };
const other: SupError = { code: 'ERR0113', service: idOf('mail'), detail: 'no' };
const blocked: SupError = { code: 'ERR0109', service: idOf('web'), dependency: idOf('db') };

const asked = (type: 'start' | 'stop' | 'restart' | 'apply', failures: readonly SupError[]): Request => ({
  id: requestId('client:1'),
  command: { type, selection: {} } satisfies Command,
  since: instant(0),
  phase: 'awaiting',
  paths: [],
  targets: [idOf('db'), idOf('web'), idOf('mail')],
  before: {},
  undecided: 0,
  failures,
  warnings: ['careful'],
  queue: [],
});

const replyTo = (request: Request): readonly Effect[] => {
  const draft = openDraft({ ...INITIAL_STATE, requests: { [request.id]: request } }, instant(0));
  answer(draft, request);
  expect(draft.state.requests).toEqual({});
  return draft.effects.filter(({ type }) => type === 'reply');
};

describe('the answer to a command', () => {
  it('an answer says what was done', () => {
    expect(replyTo(asked('start', []))).toMatchObject([
      { request: 'client:1', reply: { ok: true, done: { warnings: ['careful'] } } },
    ]);
  });

  it.each([
    ['start', [failed], failed],
    ['start', [failed, blocked], failed],
    ['start', [blocked], blocked],
    ['start', [failed, other], { code: 'ERR0106', failures: [failed, other], total: 3 }],
    ['start', [blocked, failed, other], { code: 'ERR0106', failures: [blocked, failed, other], total: 3 }],
    ['start', [blocked, blocked], { code: 'ERR0106', failures: [blocked, blocked], total: 3 }],
    ['stop', [failed], failed],
    ['stop', [failed, other], { code: 'ERR0302', failures: [failed, other] }],
    ['restart', [failed], { code: 'ERR0302', failures: [failed] }],
    ['apply', [failed, other], { code: 'ERR0302', failures: [failed, other] }],
  ] as const)('an answer to a %s with the failures %j blames %j', (type, failures, error) => {
    expect(replyTo(asked(type, failures))).toMatchObject([
      { reply: { ok: false, error, warnings: ['careful'] } },
    ]);
  });

  it('a failure after a signal is logged, since no client waits for it', () => {
    const request = { ...asked('apply', [failed]), id: signalRequest('SIGHUP') };
    const draft = openDraft({ ...INITIAL_STATE, requests: { [request.id]: request } }, instant(0));
    answer(draft, request);
    expect(draft.effects).toMatchObject([
      { type: 'reply' },
      { type: 'note', level: 'warn', text: 'careful' },
      { type: 'note', level: 'error' },
    ]);
  });

  it('a successful initial start logs its warnings', () => {
    const request = { ...asked('start', []), id: requestId(`${NO_CLIENT}/shop/sup.yaml`) };
    const draft = openDraft({ ...INITIAL_STATE, requests: { [request.id]: request } }, instant(0));
    answer(draft, request);
    expect(draft.effects).toMatchObject([
      { type: 'reply' },
      { type: 'note', level: 'warn', text: 'careful' },
    ]);
  });

  it('an answer can be a refusal before anything was done', () => {
    const draft = openDraft(INITIAL_STATE, instant(0));
    refuse(draft, asked('start', []), failed);
    expect(draft.effects).toEqual([
      {
        type: 'reply',
        request: 'client:1',
        reply: { ok: false, error: failed, warnings: ['careful'] },
      },
    ]);
  });
});
