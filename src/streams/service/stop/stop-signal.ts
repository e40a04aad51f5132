// Sends `stop_signal` once to each process of a run: to those that the first scan of a stop finds, and when
// the leader has ended, to all others.
// Rules: `docs/behaviour.md`, "Stopping", "stop_signal, once".
import type { Effect } from '../../domain/effect.ts';
import { sameProcess, type ProcessRef } from '../../domain/service/process.ts';
import type { Run } from '../../domain/service/service-run.ts';
import type { In } from '../../domain/service/service.ts';
import type { Change } from '../service-input.ts';

interface Signalling {
  readonly service: Run;
  readonly state: Pick<In<'stopping'>, 'run' | 'process'>;
}

/** Returns the effect that sends a signal to processes of a run. */
export const signal = (
  { service, state }: Signalling,
  name: string,
  targets: readonly ProcessRef[],
): Effect => ({
  type: 'signal',
  service: service.spec.id,
  run: state.run,
  leader: state.process,
  targets,
  signal: name,
});

const among = (refs: readonly ProcessRef[], ref: ProcessRef): boolean =>
  refs.some((other) => sameProcess(other, ref));

/**
 * Sends the stop signal to all processes that the first scan found, after `stop_command` if there is one.
 * Processes that only a later scan finds get the signal after the leader has exited, because the leader may
 * have started them to clean up.
 */
export const signalFresh = (service: Run, state: In<'stopping'>, alive: readonly ProcessRef[]): Change => {
  const isFirst = state.survivors === undefined || state.exit !== undefined;
  const called = isFirst && state.unproven !== true && state.commanded !== true;
  const fresh = called ? alive.filter((ref) => !among(state.asked, ref)) : [];
  return {
    to: { ...state, survivors: alive, asked: [...state.asked, ...fresh] },
    effects: fresh.length > 0 ? [signal({ service, state }, service.spec.stopSignal, fresh)] : [],
  };
};
