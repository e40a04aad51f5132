// Routes news of a service to the run that it is about, or to the rollout itself.
import type { ServiceNews } from '../domain/event.ts';
import type { Rollout, Service } from '../domain/service/service.ts';
import type { RolloutInput } from '../rollout/input.ts';
import { presentRun } from '../service/input.ts';
import { find, type Draft } from './draft.ts';
import { childIn, tellChildNews, weighed } from './children/tell.ts';
import { remnantIn, tellRemnant } from './rules/remnants.ts';
import { send } from './send.ts';
import { advance } from './rollouts/advance.ts';
import { sendSecond } from './rollouts/second.ts';

type Told = Exclude<ServiceNews, { type: 'hook-ended' }>;

/** The input of the rollout itself, if the news is one. */
const toRollout = (news: Told): RolloutInput | undefined => {
  if (news.type === 'verified') return { type: 'verified', result: news.result };
  if (news.type === 'elapsed' && news.timer === 'grace') return { type: 'elapsed' };
  if (news.type === 'command-ended' && news.purpose === 'switch')
    return { type: 'switched', outcome: news.outcome };
  return undefined;
};

/** True if the news carries the run of the second one. */
const isOfSecond = (news: Told, rollout: Rollout | undefined): boolean =>
  rollout !== undefined && 'run' in news && news.run === presentRun(rollout.other);

/** True for the second run, unless the service itself has that number. */
const isAboutSecond = (news: Told, service: Service): boolean =>
  !('run' in news && news.run === presentRun(service)) && isOfSecond(news, service.rollout);

/** Passes news to the service's own run or to the second one. */
const tellRun = (draft: Draft, service: Service, news: Exclude<Told, { type: 'weighed' }>): void => {
  const second = isAboutSecond(news, service);
  const input = toRollout(news);
  if (input !== undefined && second) return advance(draft, news.service, input);
  if (input !== undefined || news.type === 'verified') return;
  if (second) sendSecond(draft, news.service, news);
  else send(draft, news.service, news);
};

/** Routes news of a process to its leftover run, to its child, or to one of the service's two runs. */
export const tell = (draft: Draft, news: Told): void => {
  const service = find(draft, news.service);
  if (service === undefined) return;
  if (news.type === 'weighed') return weighed(draft, service, news.bytes);
  const remnant = remnantIn(service, news);
  if (remnant !== undefined) return tellRemnant(draft, service, [remnant, news]);
  const child = news.type === 'verified' ? undefined : childIn(service, news);
  if (child === undefined || news.type === 'verified') tellRun(draft, service, news);
  else tellChildNews(draft, service, [child, news]);
};
