// A world in which nothing happens by itself: watches stay silent, effects are told and bring nothing about,
// notes in the words of the log.
import { ignoreElements, map, NEVER, tap } from 'rxjs';
import type { Effect } from '../../src/streams/domain/effect.ts';
import type { Sink } from '../../src/streams/domain/ports.ts';
import type { KernelDeps } from '../../src/streams/kernel/loop.ts';
import { worded } from '../../src/streams/views/notes/note-text.ts';
import { notesOf } from '../../src/streams/views/notes/notes.ts';

export const emptyWorld = (done: (effect: Effect) => void = () => undefined): KernelDeps => {
  const sink =
    <T extends Effect['type']>(): Sink<T> =>
    (effect$) =>
      effect$.pipe(tap(done), ignoreElements());
  const world: KernelDeps = {
    notesOf,
    notes: (note$) => note$.pipe(map(worded), tap(done), ignoreElements()),
    spawns: sink(),
    signals: sink(),
    hooks: sink(),
    slots: sink(),
    replies: sink(),
    open() {
      return NEVER;
    },
    onWatchError: (_watch, error) => {
      throw error;
    },
    happened$: NEVER,
  };
  return world;
};
