// News of a service reaches the run that it is about, or the rollout itself.
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

/** What a rollout waits for in its own name. */
const toRollout = (news: Told): RolloutInput | undefined => {
  if (news.type === 'verified') return { type: 'verified', result: news.result };
  if (news.type === 'elapsed' && news.timer === 'grace') return { type: 'elapsed' };
  if (news.type === 'command-ended' && news.purpose === 'switch')
    return { type: 'switched', outcome: news.outcome };
  return undefined;
};

/** Everything about a process carries its run. */
const isOfSecond = (news: Told, rollout: Rollout | undefined): boolean =>
  rollout !== undefined && 'run' in news && news.run === presentRun(rollout.other);

/** The second run, unless the service itself has that number. */
const isAboutSecond = (news: Told, service: Service): boolean =>
  !('run' in news && news.run === presentRun(service)) && isOfSecond(news, service.rollout);

/** To the service's own run, or to the second one. */
const tellRun = (draft: Draft, service: Service, news: Exclude<Told, { type: 'weighed' }>): void => {
  const second = isAboutSecond(news, service);
  const input = toRollout(news);
  if (input !== undefined && second) return advance(draft, news.service, input);
  if (input !== undefined || news.type === 'verified') return;
  if (second) sendSecond(draft, news.service, news);
  else send(draft, news.service, news);
};

/** News of a process, to whom they are of: what is left of an older run, a child, or one of the service's two runs. */
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
