// The last 20 incidents of a service: things that happened to it without moving it to another state.
import type { Incident, IncidentFacts } from '../domain/service/history-facts.ts';
import type { Run } from '../domain/service/run.ts';
import type { In, ServiceState } from '../domain/service/service-state.ts';
import type { Instant } from '../domain/time.ts';
import type { Input } from './input.ts';

/** Kept apart from the moves, so that a service with flapping health does not push those out. */
const KEPT = 20;

/** True if health turned bad, or good after bad. The first pass of a run is no news. */
const isNews = (was: In<'up'>, is: In<'up'>): boolean => {
  const [before, after] = [was.health.health, is.health.health];
  return after === 'unhealthy' ? before !== after : before === 'unhealthy' && after === 'healthy';
};

/** Both states if the health of an up service turned bad or recovered; otherwise `undefined`. */
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

/** The incidents after this input, which moved the service to `to` or left its state as it was. */
export const noticed = (
  { actual, incidents }: Run,
  to: ServiceState | undefined,
  { input, at }: { readonly input: Input; readonly at: Instant },
): Run['incidents'] => {
  const facts = factsOf(actual, to ?? actual, input);
  if (facts === undefined) return incidents;
  const entry: Incident = { at, during: actual.tag, cause: input.type, facts };
  return [...(incidents ?? []), entry].slice(-KEPT);
};
