// Routes news of a service to the run that it is about, or to the rollout itself.
import type { ServiceNews } from '../domain/event.ts';
import type { WhichRun } from '../domain/service/service-run.ts';
import type { Service } from '../domain/service/service.ts';
import type { RolloutInput } from '../rollout/rollout-input.ts';
import { presentRun } from '../service/service-input.ts';
import { find, type Draft } from './draft.ts';
import { childIn, tellChildNews, weighed } from './child-runs.ts';
import { remnantIn, tellRemnant } from './rules/leftover-kill.ts';
import { sendTo } from './send.ts';
import { advance } from './rollouts/advance.ts';

type Told = Exclude<ServiceNews, { type: 'hook-ended' }>;

/** The input of the rollout itself, if the news is one. */
const toRollout = (news: Told): RolloutInput | undefined => {
  if (news.type === 'verified') return { type: 'verified', result: news.result };
  if (news.type === 'elapsed' && news.timer === 'grace') return { type: 'elapsed' };
  if (news.type === 'command-ended' && news.purpose === 'switch')
    return { type: 'switched', outcome: news.outcome };
  return undefined;
};

/**
 * The run that the news is about. News without a run number, and that of a past run, goes to the current run.
 * So does news with the number of both: a candidate that has not begun has the number of the current run.
 */
const runIn = (service: Service, news: Told): WhichRun => {
  const { rollout } = service;
  if (rollout === undefined || !('run' in news) || news.run === presentRun(service)) return 'current';
  return news.run === presentRun(rollout.other) ? 'other' : 'current';
};

/** Passes news to the run that it is about, or to the rollout, which only the other run has news for. */
const tellRun = (draft: Draft, service: Service, news: Exclude<Told, { type: 'weighed' }>): void => {
  const which = runIn(service, news);
  const input = toRollout(news);
  if (input !== undefined && which === 'other') return advance(draft, news.service, input);
  if (input === undefined && news.type !== 'verified') sendTo(draft, { service: news.service, which }, news);
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
