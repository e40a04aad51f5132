// `sup kill`: sends a signal to the main process of each service. If the process exits, the supervisor
// handles this exit like any other exit.
import { valueOf } from '../../grammar/parsed-line.ts';
import type { Handler } from '../../context.ts';
import { chosenServices, runningOf, sendSignal } from './running-services.ts';
import { remembered, sent, tell } from './signal-report.ts';
import { signalNamed } from '../../grammar/argument-values.ts';
import { selectionOf } from '../../selection.ts';

export const kill: Handler = async (parsed, context) => {
  const signal = signalNamed(valueOf(parsed, 'signal') ?? 'TERM');
  const selection = selectionOf(parsed, context);
  const targets = runningOf(chosenServices(context, selection), selection);
  // The signal is recorded before it is sent, so that its event comes before the events that the signal
  // causes.
  const warnings = await remembered(
    context,
    targets.map(({ service }) => ({ service: service.spec.id, act: { tag: 'signal', by: 'kill', signal } })),
  );
  const attempts = targets.map((target) => ({
    target,
    done: sent(target, signal),
    refusal: sendSignal(target, signal),
    warnings,
  }));
  return tell(context, attempts, { command: 'kill', what: 'signalled' });
};
