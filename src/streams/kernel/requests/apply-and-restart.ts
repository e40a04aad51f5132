// `restart` and `apply`, after their manifests were read: make services run as declared. If a manifest of the
// command is invalid, they change nothing (ERR0301). `plan` computes what an `apply` would change.
// Rules: `docs/behaviour.md`, "Restart by hand", "Without a selection", "With names, -p, -c or --here";
// `docs/behaviour.md`, "Restart by hand".
import type { Command, Selection } from '../../domain/command.ts';
import type { LoadResult } from '../../domain/declared/manifest.ts';
import { inOrder } from '../../graph/graph.ts';
import { find, putRequest, setState, type Draft } from '../draft.ts';
import { rewired } from '../register-manifests.ts';
import { takeSlots } from '../rollouts/traffic-slot.ts';
import { beginRemoval } from '../rules/remove-undeclared.ts';
import { changedTables } from '../supervisor-keys.ts';
import { beyondLimits, refuse, tellPlan } from './answer/command-reply.ts';
import { comeBack } from './declared-again.ts';
import { keepProblems, brokenText, problemsOf, sift, warningsOf } from './invalid-manifests.ts';
import { planOf } from './planned-changes.ts';
import type { Request } from './request.ts';
import { takeTurn } from './restart-in-turn.ts';
import { isAbout, takeUp, type TakenUp } from './services-to-change.ts';
import { aim, awaitTarget } from './set-targets.ts';

/** Stops the services to be removed, then restarts the other services one at a time, dependencies first. */
const bounce = (draft: Draft, request: Request, { ids, gone }: TakenUp): void => {
  const queue = inOrder(draft.state.graph, ids);
  const aimed = { ...aim(draft, request, [...gone.map(({ spec }) => spec.id), ...queue]), queue };
  if (gone.length === 0) return takeTurn(draft, aimed);
  putRequest(draft, aimed);
  for (const service of gone) {
    awaitTarget(draft, request.id, service);
    beginRemoval(draft, service, request);
  }
};

const selectionOf = (command: Command): Selection => ('selection' in command ? command.selection : {});

/** Restores the state that the supervisor had before the declarations were registered. The requests stay. */
const forgetTaken = (draft: Draft, state: Draft['state']): void => {
  const { requests } = draft.state;
  setState(draft, { ...state, requests });
};

/** Carries out a restart, apply or plan if all its manifests are valid. */
export const applyOrRestart = (draft: Draft, request: Request, loads: readonly LoadResult[]): void => {
  const { good, bad } = sift(draft, loads);
  const selection = selectionOf(request.command);
  keepProblems(draft, loads);
  const { state } = draft;
  const blocking = bad.filter((load) => isAbout(state, selection, load));
  const others = bad.filter((load) => !blocking.includes(load));
  if (blocking.length > 0) {
    const manifests = blocking.map(({ path }) => path);
    const warnings = others.map(brokenText);
    return refuse(
      draft,
      { ...request, warnings },
      { code: 'ERR0301', manifests, problems: problemsOf(blocking) },
    );
  }
  const about = good.filter(({ manifest }) => isAbout(state, selection, { path: manifest.path, manifest }));
  const taken = takeUp(draft, request.command, { good, about });
  const tables = changedTables(state, draft.state);
  const warned: Request = {
    ...request,
    ...(tables.length > 0 && { tables }),
    warnings: warningsOf(draft, about, others),
  };
  if (!taken.ok) return refuse(draft, warned, taken.error);
  const concerned = [...taken.ids.flatMap((id) => find(draft, id) ?? []), ...taken.gone];
  const beyond = beyondLimits(request.command, concerned);
  if (beyond !== undefined) {
    refuse(draft, warned, beyond);
    return forgetTaken(draft, state);
  }
  takeSlots(draft, loads);
  if (request.command.type !== 'plan') {
    comeBack(draft);
    bounce(draft, warned, taken);
    return rewired(draft, state.graph);
  }
  tellPlan(draft, warned, planOf(draft, warned, taken));
  forgetTaken(draft, state);
};
