// A world in which nothing happens by itself: watches stay silent, effects are told and bring nothing about.
import { ignoreElements, NEVER, tap } from 'rxjs';
import type { Effect } from '../../src/streams/domain/effect.ts';
import type { Sink } from '../../src/streams/domain/ports.ts';
import type { Surroundings } from '../../src/streams/kernel/loop.ts';

export const emptyWorld = (done: (effect: Effect) => void = () => undefined): Surroundings => {
  const sink =
    <T extends Effect['type']>(): Sink<T> =>
    (effect$) =>
      effect$.pipe(tap(done), ignoreElements());
  const world: Surroundings = {
    notes: sink(),
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
