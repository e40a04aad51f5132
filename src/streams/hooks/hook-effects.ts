// The hook commands of a move, each with what it is told (`docs/hooks.md`).
import type { EffectOf, HookOccasion } from '../domain/effect.ts';
import type { SupError } from '../domain/errors/error.ts';
import type { RunId } from '../domain/ids.ts';
import type { Service } from '../domain/service/service.ts';
import type { HookName } from '../domain/declared/spec.ts';
import { hooksOf, type Place } from './stages.ts';

/** What went well has no error, although the state may hold something in the place of one. */
const isOfError = (name: HookName): boolean => name === 'onerr' || name.endsWith('.error');

/** No state of a scheduled service holds an error: that of its run is its newest failure. */
const errorOf = ({ actual, spec, lastFailure }: Service): SupError | undefined => {
  if (spec.kind === 'cron') return lastFailure?.error;
  if (actual.tag === 'backing-off' || actual.tag === 'broken') return actual.error;
  return actual.tag === 'down' && actual.why.tag === 'failed' ? actual.why.error : undefined;
};

const occasionOf = (before: Service, after: Service, name: HookName): HookOccasion => {
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

/** The hook commands of one move that the service declares. */
export const hookEffects = (
  before: Service,
  after: Service,
  place?: Place,
): readonly EffectOf<'run-hook'>[] =>
  hooksOf(before, after, place).flatMap((name): readonly EffectOf<'run-hook'>[] => {
    const hook = before.spec.hooks[name];
    if (hook === undefined) return [];
    return [{ type: 'run-hook', spec: before.spec, hook, occasion: occasionOf(before, after, name) }];
  });
