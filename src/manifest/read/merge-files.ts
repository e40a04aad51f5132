// Merges the trees of the files of a manifest (`docs/manifest.md`, "Several files"). Every node keeps its
// place, so a problem names the file that has the value.
import { below, childOf, type MapEntry, type MapNode, type Node } from './node.ts';
import { type ProblemReport, quoted } from '../check/problem-report.ts';

const isReset = (node: Node): boolean => node.tag === 'broken' && node.reset === true;

interface At {
  readonly path: string;
  readonly report: ProblemReport;
}

/** Reports a `!reset` of a key that no earlier file has. */
const refuseReset = ({ key, value }: MapEntry, { path, report }: At): void =>
  report.add(
    { path: below(path, key), place: value },
    { code: 'ERR0227', message: `!reset: no earlier file has the key ${quoted(key)} here` },
  );

const mergedEntry = (base: MapEntry | undefined, entry: MapEntry, { path, report }: At): MapEntry => {
  const value = merged(base?.value, entry.value, { path: below(path, entry.key), report });
  const keyAt =
    base !== undefined && value.tag === 'map' && base.value.tag === 'map' ? base.keyAt : entry.keyAt;
  return { key: entry.key, keyAt, value };
};

const mergedMap = (base: MapNode | undefined, over: MapNode, at: At): MapNode => {
  const entries = new Map((base?.entries ?? []).map((entry) => [entry.key, entry]));
  for (const entry of over.entries) {
    const known = entries.get(entry.key);
    if (!isReset(entry.value)) entries.set(entry.key, mergedEntry(known, entry, at));
    else if (!entries.delete(entry.key)) refuseReset(entry, at);
  }
  const all = [...entries.values()];
  const weight = all.reduce((total, { value }) => total + value.weight, 1);
  return { ...(base ?? over), entries: all, weight };
};

/** Returns `base` with the values of `over`: maps merge by key; lists and scalars replace. */
export const merged = (base: Node | undefined, over: Node, at: At): Node => {
  if (over.tag !== 'map') return over;
  return mergedMap(base?.tag === 'map' ? base : undefined, over, at);
};

/** Reports a `!reset` that stands for a whole file instead of a key. */
export const refuseResetFile = (over: Node, report: ProblemReport): void => {
  if (isReset(over))
    report.add(
      { path: '', place: over },
      { code: 'ERR0227', message: '!reset removes a key, and stands in place of a whole file' },
    );
};

/** Reports a later file that removes `version`, or has another `version` than the first file. */
export const refuseOtherVersion = (base: Node, over: Node, report: ProblemReport): void => {
  const [first, later] = [base, over].map((root) => childOf(root, 'version')?.value);
  if (later !== undefined && isReset(later))
    report.add(
      { path: 'version', place: later },
      { code: 'ERR0227', message: 'the version of the first file cannot be removed' },
    );
  if (first?.tag !== 'scalar' || later?.tag !== 'scalar' || Number(first.value) === Number(later.value))
    return;
  report.add(
    { path: 'version', place: later },
    {
      code: 'ERR0227',
      message: `version ${quoted(String(later.value))} differs from that of the first file, ${String(first.value)}`,
    },
  );
};
