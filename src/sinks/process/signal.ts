// Sends a stop signal to the processes of a run, or kills them all (`docs/behaviour.md`, "Stopping"). The
// scan of the tree reports which are left, not this file.
import { EMPTY, mergeMap, type Observable } from 'rxjs';
import type { EffectOf } from '../../streams/domain/effect.ts';
import type { Census, Sink } from '../../streams/domain/ports.ts';
import { hunt } from './hunt.ts';
import { signalEach } from './strike.ts';

export const signalSink =
  (ports: { readonly census: Census }): Sink<'signal'> =>
  (effect$) =>
    effect$.pipe(mergeMap((effect) => deliver(ports.census, effect)));

function deliver(census: Census, effect: EffectOf<'signal'>): Observable<never> {
  if (effect.signal === 'SIGKILL') return hunt(census, effect);
  signalEach(effect.targets, effect.signal);
  return EMPTY;
}
