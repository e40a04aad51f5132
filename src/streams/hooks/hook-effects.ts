// The hook commands of a move, each with its occasion (`docs/hooks.md`).
import type { EffectOf, HookOccasion } from '../domain/effect.ts';
import type { SupError } from '../domain/errors/error.ts';
import type { RunId } from '../domain/ids.ts';
import type { Run, WhichRun } from '../domain/service/run.ts';
import type { HookName } from '../domain/declared/spec.ts';
import { hooksOf } from './stages.ts';

/** True for hooks of a failure. A success has no error, even if the state still holds one. */
const isOfError = (name: HookName): boolean => name === 'onerr' || name.endsWith('.error');

/** Returns the current error. No state of a scheduled service holds one: its newest failure counts. */
const errorOf = ({ actual, spec, lastFailure }: Run): SupError | undefined => {
  if (spec.kind === 'cron') return lastFailure?.error;
  if (actual.tag === 'backing-off' || actual.tag === 'broken') return actual.error;
  return actual.tag === 'down' && actual.why.tag === 'failed' ? actual.why.error : undefined;
};

const occasionOf = (before: Run, after: Run, name: HookName): HookOccasion => {
  const process = 'process' in before.actual ? before.actual.process : undefined;
  const exit = before.actual.tag === 'stopping' ? after.lastExit?.status : undefined;
  const error = isOfError(name) ? errorOf(after) : undefined;
  return {
    name,
    run: before.runs as RunId,
    attempt: after.attempts,
    ...(process && { pid: process.pid }),
    ...(exit && { exit }),
    ...(error && { error }),
  };
};

/** Returns the hook commands that the service declares for one move of a run. */
export const hookEffects = (
  before: Run,
  after: Run,
  which: WhichRun = 'current',
): readonly EffectOf<'run-hook'>[] =>
  hooksOf(before, after, which).flatMap((name): readonly EffectOf<'run-hook'>[] => {
    const hook = before.spec.hooks[name];
    if (hook === undefined) return [];
    return [{ type: 'run-hook', spec: before.spec, hook, occasion: occasionOf(before, after, name) }];
  });
