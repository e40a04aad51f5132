// The commands that decide whether a service starts: `skip` and `deployment.pre_start`, within their budget
// (ERR0103, ERR0108; `docs/behaviour.md`, "Starting"). The tree of a command dies with its watch.
import { map } from 'rxjs';
import { shownId } from '../../streams/domain/ids.ts';
import type { CommandRunner, Source } from '../../streams/domain/ports.ts';
import { commandEnvironment } from '../../streams/env/own-environment.ts';
import type { Environment } from '../../streams/env/service-environment.ts';
import { runsAsService } from '../../streams/launch/commands.ts';

interface CommandsPorts {
  readonly runner: CommandRunner;
  /** The supervisor's own environment. */
  readonly environment: Environment;
  readonly dataDir: string;
}

/** They run where the service will run, with what it will see. */
export const commands =
  (ports: CommandsPorts): Source<'command'> =>
  ({ key, service, run, purpose, command, spec, budget }) =>
    ports.runner
      .run({
        key,
        command,
        directory: spec.workingDir,
        environment: commandEnvironment(spec, ports.environment, { run, dataDir: ports.dataDir }),
        // A switch of the traffic is the proxy's affair, and the proxy is not the service's to command.
        as: purpose !== 'switch' && runsAsService(spec) ? { spec } : undefined,
        limit: budget,
        log: spec,
        about: `${purpose} of ${shownId(service)}`,
      })
      .pipe(map((outcome) => ({ type: 'command-ended', service, run, purpose, outcome })));
