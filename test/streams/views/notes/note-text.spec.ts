import { describe, expect, it } from 'vitest';
import type { NoteFacts } from '../../../../src/streams/domain/effect.ts';
import type { PastChild } from '../../../../src/streams/domain/service/child.ts';
import { runId } from '../../../../src/streams/domain/ids.ts';
import { instant, ms, seconds } from '../../../../src/streams/domain/time.ts';
import { worded } from '../../../../src/streams/views/notes/note-text.ts';
import { idOf } from '../../../support/spec.ts';

const past: PastChild = {
  ...{ name: 'job', run: runId(3), parent: 'service', argv: ['job'], born: instant(0), ended: instant(1) },
  exit: { tag: 'code', code: 2 },
};

describe('the text of a note', () => {
  it.each<[NoteFacts, string]>([
    [{ tag: 'child-began', name: 'job', run: runId(3), pid: 12 }, 'child job (run 3): began, pid 12'],
    [{ tag: 'child-ended', past }, 'child job (run 3): exited with 2'],
    [
      { tag: 'child-ended', past: { ...past, ending: 'ttl' } },
      'child job (run 3): stopped: its --ttl was spent',
    ],
    [{ tag: 'clock-set', by: ms(-3_600_000) }, 'the clock was set back by 1 h'],
    [{ tag: 'clock-set', by: seconds(90) }, 'the clock went forward by 1 min 30 s'],
    [
      { tag: 'command-failed', error: { code: 'ERR0402', of: idOf('web') } },
      'ERR0402 shop/web takes no children: its spawn.mode is static',
    ],
  ])('the text of a note is made from the facts %j', (facts, text) => {
    expect(worded({ type: 'note', level: 'info', service: idOf('web'), facts })).toEqual({
      ...{ type: 'note', level: 'info', service: idOf('web') },
      text,
    });
  });

  it('a note keeps an existing text', () => {
    const note = { type: 'note', level: 'warn', text: 'careful' } as const;
    expect(worded(note)).toBe(note);
  });
});
