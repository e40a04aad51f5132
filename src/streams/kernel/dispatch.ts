// Passes an event to the one service, request or supervisor that it is about.
import type { Event, ServiceNews } from '../domain/event.ts';
import { exitText, isSuccess } from '../domain/service/exit.ts';
import { boot } from './boot/boot.ts';
import { traced } from './children/ask.ts';
import { clockSet } from './clock/clock-set.ts';
import type { Draft } from './draft.ts';
import { slotKept } from './rollouts/slots.ts';
import { tell } from './route.ts';
import { loaded } from './requests/reconcile.ts';
import { expire } from './requests/expire.ts';
import { receive } from './requests/receive.ts';
import { signalRequest } from './requests/request.ts';
import { shutDown } from './requests/stop.ts';

type HookEnded = Extract<ServiceNews, { type: 'hook-ended' }>;

/** Hooks change no state; the log says when one failed. */
const noteHook = (draft: Draft, { service, name, outcome }: HookEnded): void => {
  const failed = outcome.tag === 'over-budget' || !isSuccess(outcome.status);
  if (!failed) return;
  const how =
    outcome.tag === 'over-budget' ? 'exceeded its timeout and was killed' : exitText(outcome.status);
  draft.effects.push({ type: 'note', level: 'warn', service, text: `hook ${name} ${how}` });
};

/** Signals are commands without a waiting client. */
const signalled = (draft: Draft, signal: 'SIGTERM' | 'SIGINT' | 'SIGHUP'): void => {
  const id = signalRequest(signal, draft.state.requests);
  draft.effects.push({ type: 'note', level: 'info', text: `received ${signal}` });
  if (signal === 'SIGHUP') receive(draft, id, { type: 'apply', selection: {} });
  else if (draft.state.phase === 'running') shutDown(draft, id, true);
};

/** Passes an event to its handler. */
export const dispatch = (draft: Draft, event: Event): void => {
  switch (event.type) {
    case 'booted':
      return boot(draft, event);
    case 'requested':
      return receive(draft, event.request, event.command);
    case 'manifests-loaded':
      return loaded(draft, event.request, event.loads);
    case 'request-expired':
      return expire(draft, event.request);
    case 'traced':
      return traced(draft, event.request, event.ancestry);
    case 'signalled':
      return signalled(draft, event.signal);
    case 'clock-set':
      return clockSet(draft, event.by);
    case 'slot-kept':
      return slotKept(draft, event);
    case 'hook-ended':
      return noteHook(draft, event);
    default:
      return tell(draft, event);
  }
};
