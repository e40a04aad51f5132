// Why a service is as it is: from its state to the event that led there, to the services that its state is due to, and so
// on to the roots; what happens next, and what can be done. It is told from what `inspect` shows, and from nothing else.
import { projectId, serviceId, type ServiceId } from '../../domain/ids.ts';
import type { Instant } from '../../domain/time.ts';
import type { InspectedService, StateWord } from '../../wire/documents/documents.ts';
import type { WhyAction, WhyRoot, WhyService, WhyStep } from '../../wire/documents/why-document.ts';
import { isStill } from '../history.ts';
import { actionsOn, actionsWithout } from './actions.ts';
import { nextOf } from './next.ts';

interface WhyContext {
  readonly now: Instant;
  readonly supervised: boolean;
  /** It is about the privileged supervisor. */
  readonly sys: boolean;
  readonly find: (id: ServiceId) => InspectedService | undefined;
}

/** So many of a root's last moves are told. */
const MOVES = 5;

/** The id of a service, of what `sup inspect --json` says of it. */
export const idOfInspected = ({ project, name }: InspectedService): ServiceId =>
  serviceId(projectId(project), name);

/** Dependencies stay inside one project: names are those of its neighbours. */
export const dueTo = ({ project, because_of: names }: InspectedService): readonly ServiceId[] =>
  names.map((name) => serviceId(projectId(project), name));

/** Itself, then those to whom its state is due, nearest first, each once. */
const chainOf = (service: InspectedService, find: WhyContext['find']): readonly InspectedService[] => {
  const chain = [service];
  const seen = new Set([idOfInspected(service)]);
  // Grows while it is walked.
  for (const one of chain)
    for (const id of dueTo(one)) {
      const other = seen.has(id) ? undefined : find(id);
      seen.add(id);
      if (other !== undefined) chain.push(other);
    }
  return chain;
};

const stepOf = (service: InspectedService): WhyStep => {
  const entered = service.history.findLast((entry) => entry.to === service.state && !isStill(entry));
  return {
    service: idOfInspected(service),
    state: service.state,
    since: entered?.at ?? null,
    event: entered?.reason ?? null,
    reason: service.reason,
    because_of: dueTo(service),
  };
};

const rootOf = (service: InspectedService): WhyRoot => ({
  service: idOfInspected(service),
  history: service.history.slice(-MOVES),
  printed: service.evidence,
  advice: service.next_step,
});

/** Those at the end of the chain: what their state is due to is nobody's, or not known. */
const rootsOf = (chain: readonly InspectedService[]): readonly InspectedService[] => {
  const ids = new Set(chain.map(idOfInspected));
  const ends = chain.filter((one) => !dueTo(one).some((id) => ids.has(id)));
  return ends.length === 0 ? chain.slice(-1) : ends;
};

/** A casualty goes on naming who felled it, also when that is there again. */
const BACK: ReadonlySet<StateWord> = new Set(['running', 'done', 'scheduled']);

/** Those of the roots that somebody of the chain waits for still. */
const awaitedOf = (
  roots: readonly InspectedService[],
  chain: readonly InspectedService[],
): readonly InspectedService[] => {
  const back = new Set(chain.filter(({ state }) => BACK.has(state)).map(idOfInspected));
  const awaited = new Set(
    chain.flatMap((one) => dueTo(one).filter((id) => one.state !== 'casualty' || !back.has(id))),
  );
  return roots.filter((root) => awaited.has(idOfInspected(root)));
};

const different = <T>(values: readonly T[], keyOf: (value: T) => string): readonly T[] => [
  ...new Map(values.map((value) => [keyOf(value), value])).values(),
];

const privileged =
  (sys: boolean) =>
  ({ command, meaning }: WhyAction): WhyAction => ({ command: sys ? `${command} --sys` : command, meaning });

/** The way to the roots of its trouble, what happens next by itself, and what can be done: each command once. */
export const whyOf = (service: InspectedService, { now, supervised, sys, find }: WhyContext): WhyService => {
  const chain = chainOf(service, find);
  const roots = rootsOf(chain);
  const acts = supervised ? roots.flatMap(actionsOn) : actionsWithout(service);
  return {
    project: service.project,
    service: service.name,
    state: service.state,
    health: service.health,
    chain: chain.map(stepOf),
    roots: roots.map(rootOf),
    next: nextOf(service, { now, roots: awaitedOf(roots, chain), supervised }),
    actions: different(acts, ({ command }) => command).map(privileged(sys)),
  };
};
