// Runs the commands that decide whether a service starts: `skip` and `deployment.pre_start`, within their
// time limit (ERR0103, ERR0108). The end of the watch kills the command's process tree.
// Rules: `docs/behaviour.md`, "Starting", "Skip", "pre_start".
import { map } from 'rxjs';
import { shownId } from '../../streams/domain/ids.ts';
import type { CommandRunner, Source } from '../../streams/domain/ports.ts';
import { commandEnvironment, type Environment } from '../../streams/env/service-environment.ts';
import { runsAsService } from '../../streams/launch/command-plan.ts';

interface CommandsPorts {
  readonly runner: CommandRunner;
  /** Environment variables of the supervisor, which the commands inherit. */
  readonly environment: Environment;
  readonly dataDir: string;
}

/** Runs each command in the service's directory, with the service's environment. Emits `command-ended`. */
export const commands =
  (ports: CommandsPorts): Source<'command'> =>
  ({ key, service, run, purpose, command, spec, budget }) =>
    ports.runner
      .run({
        key,
        command,
        directory: spec.workingDir,
        environment: commandEnvironment(spec, ports.environment, { run, dataDir: ports.dataDir }),
        secretsOf: spec,
        // The switch command controls the proxy, for which only the supervisor has permission.
        as: purpose !== 'switch' && runsAsService(spec) ? { spec } : undefined,
        limit: budget,
        log: spec,
        about: `${purpose} of ${shownId(service)}`,
      })
      .pipe(map((outcome) => ({ type: 'command-ended', service, run, purpose, outcome })));
