// The history of a service: its last 50 moves, each with its cause.
import type { CauseFacts } from '../domain/service/history-facts.ts';
import type { Run, Transition } from '../domain/service/run.ts';
import type { ServiceState } from '../domain/service/service-state.ts';
import type { Instant } from '../domain/time.ts';
import type { Input, InputOf } from './input.ts';

/** Moves kept in a service's history. */
const KEPT = 50;

const commandFacts = ({ purpose, outcome }: InputOf<'command-ended'>): CauseFacts =>
  outcome.tag === 'over-budget' ? { purpose } : { purpose, status: outcome.status };

const probeFacts = ({ result }: InputOf<'probed'>): CauseFacts => {
  if (result.tag === 'stranger') return { probe: result.tag, taken: result.taken };
  return 'detail' in result ? { probe: result.tag, detail: result.detail } : { probe: result.tag };
};

const factsOf = (input: Input): CauseFacts | undefined => {
  switch (input.type) {
    case 'fell':
      return { of: input.of };
    case 'pass-over':
      return { dependency: input.dependency };
    case 'command-ended':
      return commandFacts(input);
    case 'spawned':
      return { pid: input.process.pid };
    case 'spawn-failed':
      return { error: input.error };
    case 'exited':
      return { status: input.status };
    case 'probed':
      return probeFacts(input);
    case 'elapsed':
      return { timer: input.timer };
    default:
      return undefined;
  }
};

/** The history after this input; a change to a state with the same tag is no move. */
export const remember = (
  { actual, history }: Run,
  to: ServiceState | undefined,
  { input, at }: { readonly input: Input; readonly at: Instant },
): Run['history'] => {
  if (to === undefined || to.tag === actual.tag) return history;
  const facts = factsOf(input);
  const entry: Transition = {
    at,
    from: actual.tag,
    to: to.tag,
    ...(to.tag === 'down' && { down: to.why.tag }),
    cause: input.type,
    ...(facts && { facts }),
  };
  return [...(history.length < KEPT ? history : history.slice(1 - KEPT)), entry];
};
