// Calls the handler of an event. An event is about a service, a request or the supervisor.
import type { Event, ServiceNews } from '../domain/event.ts';
import { exitText, isSuccess } from '../domain/service/exit-status.ts';
import { boot } from './boot/continue-from-records.ts';
import { traced } from './child-requests.ts';
import { clockSet } from './clock-set.ts';
import type { Draft } from './draft.ts';
import { slotKept } from './rollouts/traffic-slot.ts';
import { routeNews } from './route.ts';
import { loaded, receive } from './requests/receive-command.ts';
import { signalled } from './requests/receive-signal.ts';
import { expire } from './requests/answer/awaited-services.ts';

type HookEnded = Extract<ServiceNews, { type: 'hook-ended' }>;

/** Logs the failure of a hook. The end of a hook changes no state. */
const noteHook = (draft: Draft, { service, name, outcome }: HookEnded): void => {
  const failed = outcome.tag === 'over-budget' || !isSuccess(outcome.status);
  if (!failed) return;
  const how =
    outcome.tag === 'over-budget' ? 'exceeded its timeout and was killed' : exitText(outcome.status);
  draft.effects.push({ type: 'note', level: 'warn', service, text: `hook ${name} ${how}` });
};

/** Calls the handler of the event. */
export const dispatch = (draft: Draft, event: Event): void => {
  switch (event.type) {
    case 'booted':
      return boot(draft, event);
    case 'requested':
      return receive(draft, event);
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
      return routeNews(draft, event);
  }
};
