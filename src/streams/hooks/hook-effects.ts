// The hook commands of a move, each with what it is told (`docs/hooks.md`).
import type { EffectOf, HookOccasion } from '../domain/effect.ts';
import type { SupError } from '../domain/errors/error.ts';
import { isSuccess, type ExitStatus } from '../domain/service/exit.ts';
import type { RunId } from '../domain/ids.ts';
import type { Service } from '../domain/service/service.ts';
import type { HookName } from '../domain/declared/spec.ts';
import { hooksOf } from './stages.ts';

/** A scheduled service keeps no error: that of its run is told by how it ended. */
const errorOfRun = ({ actual, spec }: Service, exit: ExitStatus | undefined): SupError | undefined => {
  if (actual.tag !== 'stopping') return undefined;
  if ('error' in actual.cause) return actual.cause.error;
  const failed = actual.cause.tag === 'exited' && exit !== undefined && !isSuccess(exit);
  return failed ? { code: 'ERR0101', service: spec.id, status: exit } : undefined;
};

const errorOf = (before: Service, { actual, lastExit }: Service): SupError | undefined => {
  if (actual.tag === 'backing-off' || actual.tag === 'broken') return actual.error;
  if (actual.tag === 'scheduled') return errorOfRun(before, lastExit?.status);
  return actual.tag === 'down' && actual.why.tag === 'failed' ? actual.why.error : undefined;
};

const occasionOf = (before: Service, after: Service, name: HookName): HookOccasion => {
  const process = 'process' in before.actual ? before.actual.process : undefined;
  const exit = before.actual.tag === 'stopping' ? after.lastExit?.status : undefined;
  const error = errorOf(before, after);
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
export const hookEffects = (before: Service, after: Service): readonly EffectOf<'run-hook'>[] =>
  hooksOf(before, after).flatMap((name): readonly EffectOf<'run-hook'>[] => {
    const hook = before.spec.hooks[name];
    if (hook === undefined) return [];
    return [{ type: 'run-hook', spec: before.spec, hook, occasion: occasionOf(before, after, name) }];
  });
