import { ignoreElements, map } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { sinksOf } from '../../../src/supervisor/machine/loop-ports.ts';
import type { EffectOf } from '../../../src/streams/domain/effect.ts';
import { worded } from '../../../src/streams/views/notes/note-text.ts';
import { rxTest } from '../../support/rx-test.ts';

const note = (text: string): EffectOf<'note'> => ({ type: 'note', level: 'info', text });

describe('a sink of the supervisor', () => {
  it('a sink that fails is reported by its name and handles later values', () => {
    const [written, told]: [string[], unknown[][]] = [[], []];
    const sinks = sinksOf({
      environment: {},
      start: {} as never,
      dataDir: '/nowhere',
      mode: { privileged: false, launcher: '', credentialsAt: '' },
      capture: {} as never,
      ledger: {} as never,
      sockets: {} as never,
      scanner: {} as never,
      runner: {} as never,
      launchers: {} as never,
      replies: (reply$) => reply$.pipe(ignoreElements()),
      notes: (note$) =>
        note$.pipe(
          map((note) => {
            const { text } = worded(note);
            if (text === 'bad') throw new Error('disk full');
            written.push(text);
          }),
          ignoreElements(),
        ),
      logError: () => undefined,
      onError: (...error) => void told.push(error),
    });
    rxTest((rx) => {
      const note$ = rx.hot('ab 200ms c', { a: note('first'), b: note('bad'), c: note('later') });
      rx.expectObservable(sinks.notes(note$), '^ 300ms !').toBe('');
      rx.expectSubscriptions(note$.subscriptions).toBe(['^!', '- 100ms ^ 199ms !']);
    });
    expect(written).toEqual(['first', 'later']);
    expect(told).toEqual([['note', new Error('disk full')]]);
  });
});
