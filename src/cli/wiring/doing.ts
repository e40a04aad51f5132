// Which sink does which kind of effect. Each stands behind a fence of its own: an error in one ends nothing.
import { filter, merge, type Observable } from 'rxjs';
import { hookSink } from '../../sinks/process/hook.ts';
import { signalSink } from '../../sinks/process/signal.ts';
import { spawnSink, type SpawnPorts } from '../../sinks/process/spawn.ts';
import type { Effect, EffectOf } from '../../streams/domain/effect.ts';
import type { Event } from '../../streams/domain/event.ts';
import type { Census, CommandRunner, Sink } from '../../streams/domain/ports.ts';
import { ms } from '../../streams/domain/time.ts';
import { guarded } from '../../streams/operators/guarded.ts';

export interface DoPorts extends SpawnPorts {
  readonly census: Census;
  readonly runner: CommandRunner;
  readonly replies: Sink<'reply'>;
  readonly notes: Sink<'note'>;
  readonly onError: (name: string, error: unknown) => void;
}

const REOPEN_AFTER = ms(100);

/** All effects done; what the sinks learn comes back as events. */
export function carryOut(effect$: Observable<Effect>, ports: DoPorts): Observable<Event> {
  function fence<T extends Effect['type']>(type: T, sink: Sink<T>): Observable<Event> {
    const own$ = effect$.pipe(filter((effect): effect is EffectOf<T> => effect.type === type));
    return sink(own$).pipe(guarded(type, { onError: ports.onError, pause: REOPEN_AFTER }));
  }
  return merge(
    fence('note', ports.notes),
    fence('spawn', spawnSink(ports)),
    fence('signal', signalSink(ports)),
    fence('run-hook', hookSink(ports)),
    fence('reply', ports.replies),
  );
}
