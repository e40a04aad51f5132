// Explains the state of a service from the document of `inspect`: the services that caused the state, up to
// the root causes, what happens next, and what the user can do.
import { projectId, serviceId, type ServiceId } from '../../domain/ids.ts';
import type { Instant } from '../../domain/time.ts';
import type { InspectedService, StateWord } from '../../wire/documents/documents.ts';
import type { WhyAction, WhyRoot, WhyService, WhyStep } from '../../wire/documents/why-document.ts';
import { isStill } from '../history-document.ts';
import { actionsOn, actionsWithout } from './suggested-commands.ts';
import { nextOf } from './what-happens-next.ts';

interface WhyContext {
  readonly now: Instant;
  readonly supervised: boolean;
  /** True for a supervisor started with `--sys`. */
  readonly sys: boolean;
  readonly find: (id: ServiceId) => InspectedService | undefined;
}

/** The number of history entries that are shown for each root cause. */
const MOVES = 5;

/** Returns the id of a service from its document of `sup inspect --json`. */
export const idOfInspected = ({ project, name }: InspectedService): ServiceId =>
  serviceId(projectId(project), name);

/** Returns the services that caused the state. They are in the same project, because all dependencies are. */
export const dueTo = ({ project, because_of: names }: InspectedService): readonly ServiceId[] =>
  names.map((name) => serviceId(projectId(project), name));

/**
 * Returns the service itself, then the services that caused its state, nearest first. Each service is listed
 * once.
 */
const chainOf = (service: InspectedService, find: WhyContext['find']): readonly InspectedService[] => {
  const chain = [service];
  const seen = new Set([idOfInspected(service)]);
  // The loop appends to `chain`, and then also iterates over the appended services.
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

/**
 * Returns the root causes: the services of the chain with a state that no other service of the chain caused.
 */
const rootsOf = (chain: readonly InspectedService[]): readonly InspectedService[] => {
  const ids = new Set(chain.map(idOfInspected));
  const ends = chain.filter((one) => !dueTo(one).some((id) => ids.has(id)));
  return ends.length === 0 ? chain.slice(-1) : ends;
};

/**
 * The states of a dependency that has recovered. Casualties name this dependency as their cause until they
 * start again.
 */
const BACK: ReadonlySet<StateWord> = new Set(['running', 'done', 'scheduled']);

/** Returns those of the root services (`roots`) that a service of the chain still waits for. */
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

/** Returns the chain to the root causes, what happens next by itself, and the commands that can help. */
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
    ...(service.undelivered_alerts && { undelivered_alerts: service.undelivered_alerts }),
    next: nextOf(service, { now, roots: awaitedOf(roots, chain), supervised }),
    actions: different(acts, ({ command }) => command).map(privileged(sys)),
  };
};
