import { describe, expect, it } from 'vitest';
import type { Transition } from '../../../../src/streams/domain/service/service.ts';
import { causeText } from '../../../../src/streams/views/words/cause-text.ts';
import { idOf } from '../../../support/spec.ts';

const rows: readonly (readonly [
  Pick<Transition, 'cause' | 'facts'> & Partial<Pick<Transition, 'from'>>,
  string | null,
])[] = [
  [{ cause: 'start' }, 'start requested'],
  [{ cause: 'surveyed' }, 'all its processes are gone'],
  [{ cause: 'fell', facts: { of: [idOf('db'), idOf('cache')] } }, 'shop/db, shop/cache failed'],
  [{ cause: 'admit' }, 'dependencies are ready'],
  [{ cause: 'admit', facts: { without: [idOf('db')] } }, 'starts without shop/db, which is not required'],
  [{ cause: 'pass-over', facts: { dependency: idOf('db') } }, 'shop/db was skipped'],
  [{ cause: 'command-ended', facts: { purpose: 'pre_start' } }, 'pre_start exceeded its budget'],
  [
    { cause: 'command-ended', facts: { purpose: 'skip', status: { tag: 'code', code: 1 } } },
    'skip exited with 1',
  ],
  [{ cause: 'spawned', facts: { pid: 7 } }, 'pid 7'],
  [{ cause: 'exited', facts: { status: { tag: 'code', code: 3 } } }, 'exited with 3'],
  [{ cause: 'probed', facts: { probe: 'passed' } }, 'the health check passed'],
  [
    { cause: 'probed', facts: { probe: 'unhealthy', detail: 'HTTP 500' } },
    'the health check failed: HTTP 500',
  ],
  [{ cause: 'elapsed', facts: { timer: 'backoff' } }, 'the next attempt is due'],
  [{ from: 'casualty', cause: 'raise' }, 'its dependencies are healthy again'],
  [{ from: 'down', cause: 'raise' }, 'what it was skipped with is skipped no longer'],
  // As in older state files, which have the name of a cause without its facts.
  [{ cause: 'fell' }, null],
  [{ cause: 'what no version ever said' }, null],
];

describe('the text of a cause', () => {
  it.each(rows)('the cause %j reads %j', (entry, text) => {
    expect(causeText({ from: 'waiting', ...entry })).toBe(text);
  });
});
