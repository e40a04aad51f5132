// Runs hooks, concurrently and without retries. Their outcome changes no state and is only logged
// (`docs/hooks.md`, "What a hook knows", "How it is run").
// Rules: `docs/behaviour.md`, "Commands on behalf of a service", "At the time limit".
import { EMPTY, from, map, merge, mergeMap, take, type Observable } from 'rxjs';
import type { EffectOf, HookOccasion } from '../../../streams/domain/effect.ts';
import type { Event } from '../../../streams/domain/event.ts';
import type { CommandRunner, Sink } from '../../../streams/domain/ports.ts';
import {
  type Environment,
  ownEnvironmentFor,
  serviceEnvironment,
} from '../../../streams/env/service-environment.ts';

interface HookPorts {
  readonly runner: CommandRunner;
  readonly environment: Environment;
  readonly dataDir: string;
  /** Emits after the supervisor's first step. Handed-over hooks are continued only then. */
  readonly begun$?: Observable<unknown>;
}

export const hookSink =
  (ports: HookPorts): Sink<'run-hook'> =>
  (effect$) => {
    let count = 0;
    const begun$ = effect$.pipe(mergeMap((effect) => run(ports, effect, (count += 1))));
    return merge(handedOver(ports), begun$);
  };

/** Continues handed-over hooks, and reports the outcome of each. */
function handedOver({ runner, begun$ = EMPTY }: HookPorts): Observable<Event> {
  return begun$.pipe(
    take(1),
    mergeMap(() => from(runner.hooksLeft())),
    mergeMap(({ key, ...about }) =>
      runner
        .run({ key, hook: about, command: '', directory: '/', environment: () => ({}) })
        .pipe(map((outcome): Event => ({ ...about, type: 'hook-ended', outcome }))),
    ),
  );
}

function run(
  ports: HookPorts,
  { spec, hook, occasion }: EffectOf<'run-hook'>,
  count: number,
): Observable<Event> {
  const identity = { run: occasion.run, dataDir: ports.dataDir };
  const about = { service: spec.id, run: occasion.run, name: occasion.name };
  const job = {
    key: `hook:${spec.id}#${occasion.run}:${occasion.name}:${Date.now()}.${count}`,
    hook: about,
    command: hook.command,
    directory: spec.directory,
    environment: () => ({
      ...serviceEnvironment(spec, ownEnvironmentFor(spec, ports.environment), identity),
      ...occasionVariables(occasion),
    }),
    secretsOf: spec,
    log: spec,
    ...(hook.timeout === undefined ? {} : { limit: hook.timeout }),
  };
  return ports.runner.run(job).pipe(map((outcome) => ({ ...about, type: 'hook-ended', outcome })));
}

/**
 * Returns all variables of a hook. A variable that does not apply is empty, not missing, because scripts may
 * use `set -u`.
 */
const occasionVariables = ({ name, pid, exit, attempt, error }: HookOccasion): Environment => ({
  SUP_HOOK: name,
  SUP_PID: String(pid ?? ''),
  SUP_EXIT_CODE: exit?.tag === 'code' ? String(exit.code) : '',
  SUP_EXIT_SIGNAL: exit?.tag === 'signal' ? exit.signal : '',
  SUP_ATTEMPT: String(attempt),
  SUP_ERROR: error?.code ?? '',
});
