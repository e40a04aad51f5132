// Judges a service by its declaration, and by its living process if there is one: what the kernel says of the
// process counts, and the declaration for what the kernel does not show.
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
  /** The declaration with which it was started. */
  readonly spec: ServiceSpec;
  /** Keys of the manifest that the kernel refused at its start. */
  readonly skipped: readonly string[];
}

/** Why declaration and process differ. `ignored`: the key has no effect without `--sys`. */
type Difference = 'changed' | 'skipped' | 'ignored' | 'other';

export interface SecurityRow {
  readonly check: SecurityCheck;
  readonly declared: Openness;
  readonly running: Openness;
  /** What counts. */
  readonly openness: Openness;
  /** One line of a manifest that closes it. */
  readonly fix: string;
  /** Present if declaration and process differ. */
  readonly difference?: Difference;
}

/** What a declaration means, as written and with what this supervisor applies of it. */
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

/** Returns the declaration without the keys that the kernel refused. */
const without = (spec: ServiceSpec, skipped: readonly string[]): ServiceSpec => {
  const { isolation } = spec.privilege;
  if (isolation === undefined || skipped.length === 0) return spec;
  const left = skipped.reduce(withoutPart, isolation);
  return { ...spec, privilege: { ...spec.privilege, isolation: left } };
};

/** What is known of the process besides what the kernel says. */
interface Run {
  readonly living: LivingProcess;
  /** What its declaration at the start means. */
  readonly started: Declared;
  /** The same without the keys that the kernel refused. */
  readonly left: DeclaredConfinement;
}

const runOf = ({ process, spec, skipped }: RunningService, starter: Starter): Run => {
  const started = declaredBy(spec, starter);
  const { mayCommand } = started.applied;
  return {
    living: { process, ownUid: starter.own.uid },
    started,
    // The right to use the control socket follows from the declaration, whatever the kernel refused of it.
    left: { ...declaredConfinement(without(spec, skipped), starter), mayCommand },
  };
};

/**
 * Returns what the process has: by the kernel, or else by what it was started with, if that is not what is
 * declared now.
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

/** Returns a row for each check, the heaviest first. */
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

/** Returns the score, from 0 (closed) to 10 (open) with one decimal, of all rows that are decided. */
export const scoreOf = (rows: readonly Pick<SecurityRow, 'check' | 'openness'>[]): number => {
  let [open, all] = [0, 0];
  for (const { check, openness } of rows)
    if (openness !== undefined) [open, all] = [open + check.weight * openness, all + check.weight];
  return all === 0 ? 0 : Math.round((MOST * MOST * open) / all) / MOST;
};

type Rating = 'closed' | 'good' | 'medium' | 'exposed' | 'open';

/** The words for scores, each up to this score. */
const RATINGS: readonly (readonly [upTo: number, rating: Rating])[] = [
  [1.9, 'closed'],
  [3.9, 'good'],
  [5.9, 'medium'],
  [7.9, 'exposed'],
];

/** Returns the word for a score. */
export const ratingOf = (score: number): Rating => RATINGS.find(([upTo]) => score <= upTo)?.[1] ?? 'open';
