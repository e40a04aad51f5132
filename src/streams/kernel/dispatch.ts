// Calls the handler of each event: that of a service, a request or the supervisor.
import type { Event, ServiceNews } from '../domain/event.ts';
import { exitText, isSuccess } from '../domain/service/exit.ts';
import { boot } from './boot/booted.ts';
import { traced } from './child-requests.ts';
import { clockSet } from './clock.ts';
import { type Draft, find } from './draft.ts';
import { slotKept } from './rollouts/traffic-slot.ts';
import { tell } from './route.ts';
import { loaded } from './requests/reconcile.ts';
import { receive } from './requests/receive-command.ts';
import { signalRequest } from './requests/request.ts';
import { shutDown } from './requests/stop-services.ts';
import type { SupError } from '../domain/errors/error.ts';
import type { RequestId, ServiceId } from '../domain/ids.ts';
import { answer } from './requests/command-reply.ts';
import { decide } from './requests/awaited-services.ts';

// Returns ERR0107 for a service that is not ready after `start_settle_secs`.

const late = (draft: Draft, service: ServiceId): SupError => ({
  code: 'ERR0107',
  service,
  waited: draft.state.settings.startSettle,
});

/** Ends a request at its deadline: a start fails with ERR0107, a restart only for the service in turn. */
const expire = (draft: Draft, id: RequestId): void => {
  const request = draft.state.requests[id];
  if (request === undefined) return;
  const { turn } = request;
  const isAwaited = (target: ServiceId): boolean => find(draft, target)?.awaitedBy.includes(id) ?? false;
  if (turn !== undefined && isAwaited(turn))
    return decide(draft, { request: id, service: turn, failure: late(draft, turn) });
  const failures = request.targets.filter(isAwaited).map((service) => late(draft, service));
  answer(draft, { ...request, failures: [...request.failures, ...failures] });
};

type HookEnded = Extract<ServiceNews, { type: 'hook-ended' }>;

/** Logs a failed hook. Hooks change no state. */
const noteHook = (draft: Draft, { service, name, outcome }: HookEnded): void => {
  const failed = outcome.tag === 'over-budget' || !isSuccess(outcome.status);
  if (!failed) return;
  const how =
    outcome.tag === 'over-budget' ? 'exceeded its timeout and was killed' : exitText(outcome.status);
  draft.effects.push({ type: 'note', level: 'warn', service, text: `hook ${name} ${how}` });
};

/** Treats a signal to the supervisor as a command; no client reads the answer. */
const signalled = (draft: Draft, signal: 'SIGTERM' | 'SIGINT' | 'SIGHUP'): void => {
  const id = signalRequest(signal, draft.state.requests);
  draft.effects.push({ type: 'note', level: 'info', text: `received ${signal}` });
  if (signal === 'SIGHUP') receive(draft, { request: id, command: { type: 'apply', selection: {} } });
  else if (draft.state.phase === 'running') shutDown(draft, { id }, true);
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
      return tell(draft, event);
  }
};
