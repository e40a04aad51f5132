// Judges a service by its declaration and by its living process, if it has one. A fact that Linux shows about
// the process has priority over the declaration.
import type { IsolationSpec, ServiceSpec } from '../../domain/declared/spec.ts';
import type { ProcessConfinement } from '../../domain/service/process-confinement.ts';
import {
  declaredConfinement,
  type DeclaredConfinement,
  type Starter,
  writtenConfinement,
} from './declared-confinement.ts';
import { SECURITY_CHECKS } from './security-checks.ts';
import type { LivingProcess, Openness, SecurityCheck } from './security-check.ts';

/** The main process of a service. */
export interface RunningService {
  readonly process: ProcessConfinement;
  /** The declaration with which the process was started. */
  readonly spec: ServiceSpec;
  /** The manifest keys that Linux refused when the process was started. */
  readonly skipped: readonly string[];
}

/**
 * The reason why the declaration and the process differ. `changed`: the declaration is newer. `skipped`:
 * Linux refused the key. `ignored`: the key has no effect without `--sys`.
 */
type Difference = 'changed' | 'skipped' | 'ignored' | 'other';

export interface SecurityRow {
  readonly check: SecurityCheck;
  readonly declared: Openness;
  readonly running: Openness;
  /**
   * The openness that the score uses. This is `running` if it is known, and otherwise the openness by the
   * declaration.
   */
  readonly openness: Openness;
  /** The line of a manifest that closes the check. */
  readonly fix: string;
  /** The reason why the declaration and the process differ; absent if they do not. */
  readonly difference?: Difference;
}

/**
 * The confinement by a declaration: as the declaration says (`written`), and as this supervisor can apply it
 * (`applied`).
 */
interface Declared {
  readonly written: DeclaredConfinement;
  readonly applied: DeclaredConfinement;
}

const declaredBy = (spec: ServiceSpec, starter: Starter): Declared => ({
  written: writtenConfinement(spec, starter),
  applied: declaredConfinement(spec, starter),
});

const NOTHING: IsolationSpec = {
  ...{ network: false, mount: false, pid: false, user: false },
  ...{ privateDevices: false, privateTmp: false },
};

const withoutPart = (isolation: IsolationSpec, key: string): IsolationSpec => {
  if (key.startsWith('isolation.protect')) {
    const { protect: _, ...rest } = isolation;
    return rest;
  }
  const part = key.replace('isolation.', '');
  return part in NOTHING ? { ...isolation, [part]: false } : isolation;
};

/** Returns the declaration without the keys that Linux refused. */
const without = (spec: ServiceSpec, skipped: readonly string[]): ServiceSpec => {
  const { isolation } = spec.privilege;
  if (isolation === undefined || skipped.length === 0) return spec;
  const left = skipped.reduce(withoutPart, isolation);
  return { ...spec, privilege: { ...spec.privilege, isolation: left } };
};

/** A living process, and the confinement that it should have, by the declaration of its start. */
interface Run {
  readonly living: LivingProcess;
  /** The declaration with which the process was started. */
  readonly started: Declared;
  /** The confinement by this declaration, without the keys that Linux refused. */
  readonly left: DeclaredConfinement;
}

const runOf = ({ process, spec, skipped }: RunningService, starter: Starter): Run => {
  const started = declaredBy(spec, starter);
  const { mayCommand } = started.applied;
  return {
    living: { process, ownUid: starter.own.uid },
    started,
    // Keys that Linux refused do not change whether a service may use the control socket: only the
    // declaration decides this.
    left: { ...declaredConfinement(without(spec, skipped), starter), mayCommand },
  };
};

/**
 * Returns the openness of the process. It comes from Linux, or else from the declaration with which the
 * process was started. In the second case the result is `undefined` if it equals the openness by the present
 * declaration.
 */
const opennessOf = (check: SecurityCheck, { living, left }: Run, { applied }: Declared): Openness => {
  const seen = check.living(living);
  if (seen !== undefined) return seen;
  const remaining = check.declared(left);
  return remaining === check.declared(applied) ? undefined : remaining;
};

const differenceOf = (
  check: SecurityCheck,
  running: number,
  { declared, run: { started, left } }: { readonly declared: Declared; readonly run: Run },
): Difference => {
  const isChanged = check.declared(started.written) !== check.declared(declared.written);
  if (isChanged) return 'changed';
  if (running === check.declared(declared.applied)) return 'ignored';
  return running === check.declared(left) ? 'skipped' : 'other';
};

const rowOf = (check: SecurityCheck, declared: Declared, run: Run | undefined): SecurityRow => {
  const written = check.declared(declared.written);
  const running = run && opennessOf(check, run, declared);
  const openness = running ?? check.declared(declared.applied);
  const fix = typeof check.fix === 'string' ? check.fix : check.fix(declared.written);
  const row = { check, declared: written, running, openness, fix };
  if (run === undefined || running === undefined || written === undefined || written === running) return row;
  return { ...row, difference: differenceOf(check, running, { declared, run }) };
};

/** Returns one row for each check, in the order of their weights, heaviest first. */
export const securityRows = (
  spec: ServiceSpec,
  starter: Starter,
  service?: RunningService,
): readonly SecurityRow[] => {
  const declared = declaredBy(spec, starter);
  const run = service && runOf(service, starter);
  return SECURITY_CHECKS.map((check) => rowOf(check, declared, run));
};

const MOST = 10;

/** Returns the score of all rows with a known openness: from 0 (closed) to 10 (open), with one decimal. */
export const scoreOf = (rows: readonly Pick<SecurityRow, 'check' | 'openness'>[]): number => {
  let [open, all] = [0, 0];
  for (const { check, openness } of rows)
    if (openness !== undefined) [open, all] = [open + check.weight * openness, all + check.weight];
  return all === 0 ? 0 : Math.round((MOST * MOST * open) / all) / MOST;
};

type Rating = 'closed' | 'good' | 'medium' | 'exposed' | 'open';

/** The words for scores. A word is used for scores up to the number before it. */
const RATINGS: readonly (readonly [upTo: number, rating: Rating])[] = [
  [1.9, 'closed'],
  [3.9, 'good'],
  [5.9, 'medium'],
  [7.9, 'exposed'],
];

/** Returns the word for a score. */
export const ratingOf = (score: number): Rating => RATINGS.find(([upTo]) => score <= upTo)?.[1] ?? 'open';
