// Separates valid manifests from invalid ones, and makes the warnings about the manifests of a command. The
// commands decide whether an invalid manifest prevents them.
// Rules: `docs/behaviour.md`, "Restart by hand", "Without a selection", "With names, -p, -c or --here".
import { shownId } from '../../domain/ids.ts';
import { manifestRemedy } from '../../domain/errors/error.ts';
import type { LoadResult, Problem } from '../../domain/declared/manifest.ts';
import { changeState, type Draft } from '../draft.ts';
import { claimantOf, claims } from '../manifest-claims.ts';
import type { Loaded } from './services-to-change.ts';

interface Broken {
  readonly path: string;
  readonly problems: readonly Problem[];
}

/**
 * Separates valid manifests from invalid ones. A manifest that uses a name of another manifest is invalid.
 */
export const sift = (
  draft: Draft,
  loads: readonly LoadResult[],
): { good: readonly Loaded[]; bad: readonly Broken[] } => {
  const together = loads.flatMap(({ manifest }) => (manifest ? [claimantOf(manifest)] : []));
  const checked = loads.map(({ path, manifest, problems }) => ({
    path,
    manifest,
    problems: manifest ? [...problems, ...claims(draft.state, together, manifest)] : problems,
  }));
  const isBad = (problems: readonly Problem[]): boolean =>
    problems.some(({ severity }) => severity === 'error');
  return {
    good: checked.flatMap(({ manifest, problems }) =>
      manifest && !isBad(problems) ? [{ manifest, problems }] : [],
    ),
    bad: checked.filter(({ problems }) => isBad(problems)),
  };
};

/** Records why manifests cannot be loaded, for `status`, until they load again. */
export const keepProblems = (draft: Draft, loads: readonly LoadResult[]): void => {
  const broken = loads.filter(
    ({ path, manifest }) => manifest === undefined && path in draft.state.manifests,
  );
  const problems = Object.fromEntries(broken.map((load) => [load.path, load.problems]));
  changeState(draft, { manifests: { ...draft.state.manifests, ...problems } });
};

/** Returns each problem in one line, with its code. */
export const texts = (problems: readonly Problem[]): readonly string[] =>
  problems.map(({ code, path, message }) => `${code} ${path === '' ? '' : `${path}: `}${message}`);

/** Returns the problems of all invalid manifests. */
export const problemsOf = (bad: readonly Broken[]): readonly Problem[] =>
  bad.flatMap(({ problems }) => problems);

/** Returns the warning about an invalid manifest that the command did not name. */
export const brokenText = ({ path, problems }: Broken): string => {
  const [first = 'it does not load'] = texts(problems.filter(({ severity }) => severity === 'error'));
  return `${path} is invalid; its services keep its last valid version: ${first} (${manifestRemedy(path)})`;
};

/** Returns warnings about `essential`, which works only under `sup supervise -c`. */
export const unheeded = ({ state }: Draft, good: readonly Loaded[]): readonly string[] =>
  state.bound === true
    ? []
    : good
        .flatMap(({ manifest }) => manifest.services)
        .filter(({ essential }) => essential === true)
        .map(({ id }) => `${shownId(id)}: essential has an effect only with sup supervise -c`);

/**
 * Returns the warnings about the command's manifests, and one warning for each other manifest that is
 * invalid.
 */
export const warningsOf = (
  draft: Draft,
  good: readonly Loaded[],
  others: readonly Broken[],
): readonly string[] => [
  ...unheeded(draft, good),
  ...good.flatMap(({ problems }) => texts(problems)),
  ...others.map(brokenText),
];
