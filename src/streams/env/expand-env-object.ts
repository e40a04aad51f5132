// Expands the variables of one `env` object. The variables may refer to each other in any order, and to
// variables of outer levels. If a variable refers to its own name, it gets the value of the outer variable:
// `PATH: /opt/bin:${PATH}`.
import { expand, type Expansion, type Fault, type Lookup } from './expand-references.ts';

interface Level {
  /** The entries of `env.vars`, before they are expanded. */
  readonly vars: ReadonlyMap<string, string>;
  /** The variables of `env.file`. Entries in `vars` override them. */
  readonly file: Readonly<Record<string, string>>;
}

export type ExpansionFailure =
  | Extract<Expansion, { readonly tag: 'failed' }>
  | { readonly tag: 'cycle'; readonly names: readonly string[] }
  | { readonly tag: 'too-deep'; readonly most: number }
  /** The variable refers to another failed variable of this level. Only the other failure is reported. */
  | { readonly tag: 'follows' };

interface Evaluated {
  readonly values: Readonly<Record<string, string>>;
  readonly failures: ReadonlyMap<string, ExpansionFailure>;
}

const LONGEST_CHAIN = 100;

interface Evaluation {
  readonly level: Level;
  readonly outer: Lookup;
  readonly values: Map<string, string>;
  readonly failures: Map<string, ExpansionFailure>;
}

const within = (evaluation: Evaluation, chain: readonly string[], name: string): Lookup => {
  const { level, outer, values, failures } = evaluation;
  const base: Lookup = (wanted) => (Object.hasOwn(level.file, wanted) ? level.file[wanted] : outer(wanted));
  return (wanted) => {
    if (wanted === name || !level.vars.has(wanted)) return base(wanted);
    evaluate(evaluation, wanted, [...chain, name]);
    if (failures.has(wanted)) failures.set(name, failures.get(name) ?? { tag: 'follows' });
    return values.get(wanted);
  };
};

/** Returns the faults without those that only follow from the failure of another variable of this level. */
const ownFaults = (
  { level, failures }: Evaluation,
  name: string,
  faults: readonly Fault[],
): readonly Fault[] =>
  faults.filter(
    (fault) =>
      fault.tag !== 'undefined' ||
      fault.name === name ||
      !level.vars.has(fault.name) ||
      !failures.has(fault.name),
  );

const recordResult = (evaluation: Evaluation, name: string, expansion: Expansion): void => {
  const { values, failures } = evaluation;
  if ((failures.get(name)?.tag ?? 'follows') !== 'follows') return;
  const faults = expansion.tag === 'failed' ? ownFaults(evaluation, name, expansion.faults) : [];
  if (faults.length > 0) failures.set(name, { tag: 'failed', faults });
  else if (expansion.tag === 'expanded' && !failures.has(name)) values.set(name, expansion.text);
};

const evaluate = (evaluation: Evaluation, name: string, chain: readonly string[]): void => {
  const { level, values, failures } = evaluation;
  if (values.has(name) || failures.has(name)) return;
  if (chain.includes(name)) {
    failures.set(name, { tag: 'cycle', names: [...chain.slice(chain.indexOf(name)), name] });
    return;
  }
  if (chain.length > LONGEST_CHAIN) {
    failures.set(name, { tag: 'too-deep', most: LONGEST_CHAIN });
    return;
  }
  recordResult(evaluation, name, expand(level.vars.get(name) ?? '', within(evaluation, chain, name)));
};

/** Expands every variable of one level, in manifest order. `outer`: looks up variables of outer levels. */
export const evaluateLevel = (level: Level, outer: Lookup): Evaluated => {
  const evaluation: Evaluation = { level, outer, values: new Map(), failures: new Map() };
  for (const name of level.vars.keys()) evaluate(evaluation, name, []);
  return { values: Object.fromEntries(evaluation.values), failures: evaluation.failures };
};
