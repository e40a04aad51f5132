// Commands: from being asked to their services being on the way. Those that concern declarations go through
// `reconcile.ts` first; verdicts are in `judge.ts`, answers in `answer.ts`.
import type { Command } from '../domain/command.ts';
import type { SupError } from '../domain/error.ts';
import type { RequestId, ServiceId } from '../domain/ids.ts';
import type { Service } from '../domain/service.ts';
import { plus } from '../domain/time.ts';
import { inOrder, withDependencies } from '../graph/graph.ts';
import { isNamed } from '../selection/is-selected.ts';
import { answer, refuse } from './answer.ts';
import { find, put, putRequest, send, type Draft } from './draft.ts';
import { awaitService, conclude } from './judge.ts';
import { leave } from './register.ts';
import { servicesOf } from './roster.ts';
import { select } from './select.ts';
import type { Request } from './state.ts';

const request = (draft: Draft, id: RequestId, command: Command): Request => ({
  id,
  command,
  since: draft.at,
  phase: 'settling',
  paths: [],
  targets: [],
  undecided: 0,
  failures: [],
  warnings: [],
  queue: [],
});

export const settleOn = (draft: Draft, asked: Request, targets: readonly ServiceId[]): Request => {
  const settling: Request = { ...asked, phase: 'settling', targets, undecided: targets.length };
  putRequest(draft, settling);
  if (targets.length === 0) answer(draft, settling);
  return settling;
};

const awaitAll = (draft: Draft, { id, targets }: Request): void => {
  for (const target of targets) {
    const service = find(draft, target);
    if (service !== undefined) awaitService(draft, id, service);
  }
};

/** Start: the selected services and all they need, those that need nobody first. */
export const start = (draft: Draft, asked: Request): void => {
  if (asked.command.type !== 'start') return;
  const { selection } = asked.command;
  const selected = select(draft.state, selection);
  if (!selected.ok) return refuse(draft, asked, selected.error);
  const { graph, settings } = draft.state;
  const targets = inOrder(graph, withDependencies(graph, selected.ids));
  const settling = settleOn(draft, { ...asked, deadline: plus(draft.at, settings.startSettle) }, targets);
  for (const id of targets) {
    const service = find(draft, id);
    if (service?.gate === 'none') put(draft, { ...service, gate: 'queued' });
    send(draft, id, {
      type: 'start',
      insisted: service !== undefined && isNamed(service.spec, selection) && selected.ids.includes(id),
    });
  }
  awaitAll(draft, settling);
};

const stop = (draft: Draft, asked: Request): void => {
  if (asked.command.type !== 'stop') return;
  const selected = select(draft.state, asked.command.selection);
  if (!selected.ok) return refuse(draft, asked, selected.error);
  const settling = settleOn(draft, asked, selected.ids);
  selected.ids.forEach((id) => send(draft, id, { type: 'stop' }));
  awaitAll(draft, settling);
};

/** Done, failed and given up are verdicts that outlast the supervisor. */
const isVerdict = ({ actual }: Service): boolean => actual.tag === 'down' || actual.tag === 'broken';

/** Everything ends. `resume`: what was wanted is wanted again by the next supervisor. */
export const shutDown = (draft: Draft, id: RequestId, resume: boolean): void => {
  const services = servicesOf(draft.state.roster).filter((service) => !resume || !isVerdict(service));
  draft.state = { ...draft.state, phase: 'closing' };
  const targets = services.map(({ spec }) => spec.id);
  const settling = settleOn(draft, request(draft, id, { type: 'shutdown' }), targets);
  for (const service of services) put(draft, { ...service, resume: resume && service.wanted === 'up' });
  targets.forEach((target) => send(draft, target, { type: 'stop' }));
  awaitAll(draft, settling);
};

const forget = (draft: Draft, asked: Request): void => {
  if (asked.command.type !== 'forget') return;
  const { manifest } = asked.command;
  const { [manifest]: known, ...manifests } = draft.state.manifests;
  if (known === undefined)
    return refuse(draft, asked, { code: 'ERR0202', name: manifest, known: Object.keys(manifests) });
  const services = servicesOf(draft.state.roster).filter(({ spec }) => spec.manifest === manifest);
  const projects = Object.entries(draft.state.projects).filter(
    ([, project]) => project.manifest !== manifest,
  );
  draft.state = { ...draft.state, manifests, projects: Object.fromEntries(projects) };
  const settling = settleOn(
    draft,
    asked,
    services.map(({ spec }) => spec.id),
  );
  awaitAll(draft, settling);
  settling.targets.forEach((id) => {
    const service = find(draft, id);
    if (service !== undefined) leave(draft, service);
  });
};

const load = (draft: Draft, asked: Request, paths: readonly string[]): void =>
  putRequest(draft, { ...asked, phase: 'loading', paths });

/** A command has come. Those that concern declarations first have the manifests read. */
export const ask = (draft: Draft, id: RequestId, command: Command): void => {
  const asked = request(draft, id, command);
  if (draft.state.phase === 'closing' && command.type !== 'shutdown')
    return refuse(draft, asked, { code: 'ERR0206', dataDir: 'the supervisor is shutting down' });
  const registered = Object.keys(draft.state.manifests);
  switch (command.type) {
    case 'start':
      return load(
        draft,
        asked,
        command.selection.manifest === undefined ? registered : [command.selection.manifest],
      );
    case 'restart':
    case 'reload':
      return load(draft, asked, registered);
    case 'stop':
      return stop(draft, asked);
    case 'forget':
      return forget(draft, asked);
    case 'shutdown':
      return shutDown(draft, id, false);
  }
};

const late = (draft: Draft, service: ServiceId): SupError => ({
  code: 'ERR0107',
  service,
  waited: draft.state.settings.startSettle,
});

/** `start_settle_secs` are spent: whoever is still on the way is named; a restart goes on with the next service. */
export const expired = (draft: Draft, id: RequestId): void => {
  const asked = draft.state.requests[id];
  if (asked === undefined) return;
  const { turn } = asked;
  const isAwaited = (target: ServiceId): boolean => find(draft, target)?.awaitedBy.includes(id) ?? false;
  if (turn !== undefined && isAwaited(turn))
    return conclude(draft, { request: id, service: turn, failure: late(draft, turn) });
  const failures = asked.targets.filter(isAwaited).map((service) => late(draft, service));
  answer(draft, { ...asked, failures: [...asked.failures, ...failures] });
};
