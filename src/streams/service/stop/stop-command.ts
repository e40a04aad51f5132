// Runs `stop_command` at the begin of a stop. The stop signal follows when the command has ended, failed or
// used up its time (ERR0122).
// Rules: `docs/behaviour.md`, "Stopping", "stop_command first".
import type { Effect } from '../../domain/effect.ts';
import type { ServiceError } from '../../domain/errors/error.ts';
import type { CommandOutcome } from '../../domain/event.ts';
import { isSuccess } from '../../domain/service/exit-status.ts';
import type { Run } from '../../domain/service/service-run.ts';
import type { In } from '../../domain/service/service.ts';
import { ms, type Ms } from '../../domain/time.ts';
import type { Watch } from '../../domain/watch.ts';
import { finish } from '../run-ended.ts';
import { STAY, type Change, type Situation } from '../service-input.ts';
import { signalFresh } from './stop-signal.ts';
import { isOver } from './stopping.ts';

/**
 * Returns how long `stop_command` may take: three quarters of `stop_timeout`. The last quarter is for the
 * processes to end after the stop signal.
 */
const stopCommandBudget = ({ spec }: Run): Ms => ms(Math.ceil((spec.stopTimeout * 3) / 4));

/** Returns the watch that runs `stop_command`, until the command has ended. */
export const stopCommand = (service: Run, state: In<'stopping'>): readonly Watch[] => {
  const { spec } = service;
  const { stopCommand: command } = spec;
  if (state.commanded !== true || command === undefined) return [];
  const { run, process } = state;
  const key = `command:${spec.id}#${run}:stop`;
  const budget = stopCommandBudget(service);
  return [{ type: 'command', key, service: spec.id, run, purpose: 'stop', command, spec, budget, process }];
};

/** Returns the error of a `stop_command` that failed. This error does not end the stop. */
export const stopCommandError = (service: Run, outcome: CommandOutcome): ServiceError | undefined => {
  const of = { code: 'ERR0122', service: service.spec.id } as const;
  if (outcome.tag === 'over-budget') return { ...of, budget: stopCommandBudget(service) };
  const { status, evidence, refused } = outcome;
  return refused ?? (isSuccess(status) ? undefined : { ...of, status, evidence });
};

const warning = ({ spec }: Run, error: ServiceError): Effect => ({
  type: 'note',
  level: 'warn',
  service: spec.id,
  facts: { tag: 'command-failed', error },
});

/** Continues a stop after its `stop_command` has ended. */
const signalled = (cell: Situation<'stopping', 'command-ended'>, state: In<'stopping'>): Change => {
  const { survivors = [], ...unseen } = state;
  if (survivors.length > 0) return signalFresh(cell.service, unseen, survivors);
  return isOver(cell.service, state) ? finish({ ...cell, state }) : { to: state };
};

/** Sends the stop signal after `stop_command`, or ends the stop if no process is left. */
export const commandEnded = (cell: Situation<'stopping', 'command-ended'>): Change => {
  const { service } = cell;
  const { commanded, ...state } = cell.state;
  if (commanded === undefined || cell.input.purpose !== 'stop') return STAY;
  const error = stopCommandError(service, cell.input.outcome);
  const { effects = [], ...change } = signalled(cell, state);
  return { ...change, effects: [...(error ? [warning(service, error)] : []), ...effects] };
};
