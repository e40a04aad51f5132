// Sends each event about a service to the part that it is about: a run, the rollout, a child or a leftover
// run.
import type { ServiceNews } from '../domain/event.ts';
import type { TimerName } from '../domain/watch.ts';
import type { WhichRun } from '../domain/service/service-run.ts';
import type { Service } from '../domain/service/service.ts';
import type { RolloutInput } from '../rollout/rollout-input.ts';
import { presentRun } from '../service/service-input.ts';
import { find, type Draft } from './draft.ts';
import { childIn, routeToChild, weighed } from './child-requests.ts';
import { leftoverIn, continueKill } from './rules/leftover-kill.ts';
import { sendTo } from './send.ts';
import { fileChanged, filesAtRest, unwatched } from './rules/restart-on-file-change.ts';
import { outgrown } from './rollouts/restart-at-max-memory.ts';
import { advance } from './rollouts/advance-rollout.ts';

type RoutedNews = Exclude<ServiceNews, { type: 'hook-ended' }>;
type ServiceWide = Extract<RoutedNews, { type: 'weighed' | 'changed' | 'unwatched' }>;

/** Returns the event as an input of the rollout, if it is about the rollout. */
const toRollout = (news: RoutedNews): RolloutInput | undefined => {
  if (news.type === 'verified') return { type: 'verified', result: news.result };
  if (news.type === 'elapsed' && news.timer === 'grace') return { type: 'elapsed' };
  if (news.type === 'command-ended' && news.purpose === 'switch')
    return { type: 'switched', outcome: news.outcome };
  return undefined;
};

/**
 * Returns the run that has the event's number. A second run that has not begun has no own number, and gets no
 * events.
 */
const runIn = (service: Service, news: RoutedNews): WhichRun => {
  const { rollout } = service;
  if (rollout === undefined || !('run' in news) || news.run === presentRun(service)) return 'current';
  return news.run === presentRun(rollout.other) ? 'other' : 'current';
};

/**
 * Handlers of the timers that concern the whole service. The end of such a timer is not sent to the state
 * table.
 */
const KERNEL_TIMERS: Partial<Record<TimerName, typeof outgrown>> = {
  memory: outgrown,
  changed: filesAtRest,
};

/** Sends an event to the run or rollout that it is about. */
const routeToRun = (draft: Draft, service: Service, news: Exclude<RoutedNews, ServiceWide>): void => {
  const which = runIn(service, news);
  const input = toRollout(news);
  if (input !== undefined && which === 'other') return advance(draft, news.service, input);
  const follow = news.type === 'elapsed' ? KERNEL_TIMERS[news.timer] : undefined;
  if (follow && news.type === 'elapsed') return follow(draft, service, news);
  if (input === undefined && news.type !== 'verified') sendTo(draft, { service: news.service, which }, news);
};

const isServiceWide = (news: RoutedNews): news is ServiceWide =>
  news.type === 'weighed' || news.type === 'changed' || news.type === 'unwatched';

/** Handles an event about a service as a whole. */
const routeToService = (draft: Draft, service: Service, news: ServiceWide): void => {
  switch (news.type) {
    case 'weighed':
      return weighed(draft, service, news.bytes);
    case 'changed':
      return fileChanged(draft, service, news.file);
    case 'unwatched':
      return unwatched(draft, service, news);
  }
};

/** Sends an event about a service to its leftover run, child, rollout or run. */
export const routeNews = (draft: Draft, news: RoutedNews): void => {
  const service = find(draft, news.service);
  if (service === undefined) return;
  if (isServiceWide(news)) return routeToService(draft, service, news);
  const leftover = leftoverIn(service, news);
  if (leftover !== undefined) return continueKill(draft, service, [leftover, news]);
  const child = news.type === 'verified' ? undefined : childIn(service, news);
  if (child === undefined || news.type === 'verified') routeToRun(draft, service, news);
  else routeToChild(draft, service, [child, news]);
};
