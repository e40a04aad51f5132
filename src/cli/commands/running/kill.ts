// `sup kill`: one signal to the main process of each service. What the service makes of it is its own affair: the
// supervisor sees an exit like any other.
import { valueOf } from '../../grammar/parsed.ts';
import type { Handler } from '../../handler.ts';
import { chosenServices, runningOf } from '../../running/chosen.ts';
import { signalNamed } from '../../running/signal-named.ts';
import { strike } from '../../running/strike.ts';
import { sent, tell } from '../../running/tell.ts';
import { selectionOf } from '../../selection/selection.ts';

// eslint-disable-next-line @typescript-eslint/require-await -- what it throws is to reject, as in every handler
export const kill: Handler = async (parsed, context) => {
  const signal = signalNamed(valueOf(parsed, 'signal') ?? 'TERM');
  const selection = selectionOf(parsed, context);
  const attempts = runningOf(chosenServices(context, selection), selection).map((target) => ({
    target,
    done: sent(target, signal),
    refusal: strike(target, signal),
  }));
  return tell(context, attempts, { command: 'kill', what: 'signalled' });
};
