// Commands that concern declarations, once their manifests have been read: start takes up what is new; restart and
// reload make declared and actual one, or touch nothing at all when a manifest is invalid (ERR0301).
import type { RequestId, ServiceId } from '../../domain/ids.ts';
import { manifestError } from '../../domain/manifest-error.ts';
import type { LoadResult, Manifest, Problem } from '../../domain/manifest.ts';
import type { Service } from '../../domain/service.ts';
import { inOrder } from '../../graph/graph.ts';
import { isSelected } from '../../selection/is-selected.ts';
import { refuse } from './answer.ts';
import { find, type Draft } from '../draft.ts';
import { takeTurn } from './hear.ts';
import { claims, register, undeclared } from '../register.ts';
import { leave } from '../rules/leaving.ts';
import { start } from './start.ts';
import { keepProblems, takeLeave } from './undeclared.ts';
import { aim, awaitTarget } from './targets.ts';
import { select } from './select.ts';
import type { Request } from './request.ts';

interface Loaded {
  readonly manifest: Manifest;
  readonly problems: readonly Problem[];
}

/** The loads that are whole, claims on others' names included, and the errors of those that are not. */
const sift = (
  draft: Draft,
  loads: readonly LoadResult[],
): { good: readonly Loaded[]; bad: readonly Problem[] } => {
  const checked = loads.map(({ manifest, problems }) => ({
    manifest,
    problems: manifest ? [...problems, ...claims(draft.state, manifest)] : problems,
  }));
  const isBad = (problems: readonly Problem[]): boolean =>
    problems.some(({ severity }) => severity === 'error');
  return {
    good: checked.flatMap(({ manifest, problems }) =>
      manifest && !isBad(problems) ? [{ manifest, problems }] : [],
    ),
    bad: checked.flatMap(({ problems }) => (isBad(problems) ? problems : [])),
  };
};

const texts = (problems: readonly Problem[]): readonly string[] =>
  problems.map(({ code, path, message }) => `${code} ${path}: ${message}`);

const startLoaded = (draft: Draft, request: Request, loads: readonly LoadResult[]): void => {
  const { good, bad } = sift(draft, loads);
  const [path] = request.paths;
  const explicit = request.command.type === 'start' && request.command.selection.manifest !== undefined;
  if (explicit && bad.length > 0 && path !== undefined)
    return refuse(draft, request, manifestError(path, bad));
  good.forEach(({ manifest, problems }) => register(draft, manifest, problems));
  const gone = takeLeave(
    draft,
    good.map(({ manifest }) => manifest),
  );
  const warnings = [...gone.warnings, ...good.flatMap(({ problems }) => texts(problems)), ...texts(bad)];
  start(draft, { ...request, warnings }, gone.ids);
};

/** A restart of some leaves everybody else's removals alone. */
const inScope = ({ command }: Request, { spec }: Service): boolean =>
  command.type !== 'restart' || isSelected(spec, command.selection);

interface Reconciled {
  readonly bounced: readonly ServiceId[];
  readonly gone: readonly Service[];
}

/** What is gone stops; the others are bounced, one at a time, dependencies first. */
const bounce = (draft: Draft, request: Request, { bounced, gone }: Reconciled): void => {
  const queue = inOrder(draft.state.graph, bounced);
  const aimed = aim(draft, request, [...gone.map(({ spec }) => spec.id), ...queue]);
  for (const service of gone) {
    awaitTarget(draft, request.id, service);
    leave(draft, find(draft, service.spec.id) ?? service);
  }
  takeTurn(draft, { ...aimed, queue });
};

/** Restart and reload: all manifests must be whole, then declared and actual are made one. */
const reconcile = (draft: Draft, request: Request, loads: readonly LoadResult[]): void => {
  const { good, bad } = sift(draft, loads);
  if (bad.length > 0) {
    keepProblems(draft, loads);
    return refuse(draft, request, { code: 'ERR0301', problems: bad });
  }
  const gone = good
    .flatMap(({ manifest }) => undeclared(draft.state, manifest))
    .filter((service) => inScope(request, service));
  const news = good.flatMap(({ manifest, problems }) => {
    const { added, changed } = register(draft, manifest, problems);
    return [...added, ...changed];
  });
  const warned = { ...request, warnings: good.flatMap(({ problems }) => texts(problems)) };
  if (request.command.type !== 'restart') return bounce(draft, warned, { bounced: news, gone });
  const selected = select(draft.state, request.command.selection);
  if (!selected.ok) return refuse(draft, request, selected.error);
  const leaving = new Set(gone.map(({ spec }) => spec.id));
  bounce(draft, warned, { bounced: selected.ids.filter((id) => !leaving.has(id)), gone });
};

/** The manifests that a command needed have been read. */
export const loaded = (draft: Draft, id: RequestId, loads: readonly LoadResult[]): void => {
  const request = draft.state.requests[id];
  if (request?.phase !== 'loading') return;
  if (request.command.type === 'start') startLoaded(draft, request, loads);
  else reconcile(draft, request, loads);
};
