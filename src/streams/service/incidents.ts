// What a service remembers beside its moves: the last 20 things that happened to it and moved it nowhere.
import type { Incident, IncidentFacts } from '../domain/service/incident.ts';
import type { In, Service, ServiceState } from '../domain/service/service.ts';
import type { Instant } from '../domain/time.ts';
import type { Input } from './input.ts';

/** Apart from the moves, which a service whose health comes and goes would push out. */
const KEPT = 20;

/** What is not known becomes well without a word: everybody begins so. */
const isNews = (was: In<'up'>, is: In<'up'>): boolean => {
  const [before, after] = [was.health.health, is.health.health];
  return after === 'unhealthy' ? before !== after : before === 'unhealthy' && after === 'healthy';
};

/** Its probes begin to fail while it is up, or pass again: before and after; or nothing. */
export const healthNews = (
  was: ServiceState,
  is: ServiceState,
): { readonly was: In<'up'>; readonly is: In<'up'> } | undefined =>
  was.tag === 'up' && is.tag === 'up' && isNews(was, is) ? { was, is } : undefined;

const factsOf = (was: ServiceState, is: ServiceState, input: Input): IncidentFacts | undefined => {
  if (input.type === 'acted') return { act: input.act };
  const news = healthNews(was, is);
  if (news === undefined) return undefined;
  const isWell = news.is.health.health === 'healthy';
  return isWell
    ? { health: 'healthy', streak: news.was.health }
    : { health: 'unhealthy', streak: news.is.health };
};

/** What it remembers after this input, which brought it to that state or left it in its own. */
export const noticed = (
  { actual, incidents }: Service,
  to: ServiceState | undefined,
  { input, at }: { readonly input: Input; readonly at: Instant },
): Service['incidents'] => {
  const facts = factsOf(actual, to ?? actual, input);
  if (facts === undefined) return incidents;
  const entry: Incident = { at, during: actual.tag, cause: input.type, facts };
  return [...(incidents ?? []), entry].slice(-KEPT);
};
