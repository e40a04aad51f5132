// Runs the commands that decide whether a service starts (`skip`, `deployment.pre_start`: ERR0103, ERR0108),
// the `switch_command`, and the `stop_command` (ERR0122), each within its time limit. Unsubscribing kills the
// process tree of the command.
//
// Rules: `docs/behaviour.md`, "Starting", "Skip", "pre_start".
import { map } from 'rxjs';
import { shownId } from '../../streams/domain/ids.ts';
import type { CommandJob, CommandRunner, Source } from '../../streams/domain/ports.ts';
import type { ProcessRef } from '../../streams/domain/service/process.ts';
import { commandEnvironment, type Environment } from '../../streams/env/service-environment.ts';
import { runsAsService } from '../../streams/launch/command-as-service.ts';

interface CommandsPorts {
  readonly runner: CommandRunner;
  /** Environment variables of the supervisor, which the commands inherit. */
  readonly environment: Environment;
  readonly dataDir: string;
}

/**
 * Adds `SUP_PID`, the pid of the running process of the service, to the environment of a command, if there is
 * such a process.
 */
const withPid =
  (environment: CommandJob['environment'], beside: ProcessRef | undefined): CommandJob['environment'] =>
  (account) => ({ ...environment(account), ...(beside && { SUP_PID: String(beside.pid) }) });

/** Runs each command in the service's directory, with the service's environment. Emits `command-ended`. */
export const commands =
  (ports: CommandsPorts): Source<'command'> =>
  ({ key, service, run, purpose, command, spec, budget, process: beside }) =>
    ports.runner
      .run({
        key,
        command,
        directory: spec.workingDir,
        secretsOf: spec,
        ...(spec.stateDir !== undefined && { stateOf: spec }),
        environment: withPid(
          commandEnvironment(spec, ports.environment, { run, dataDir: ports.dataDir }),
          beside,
        ),
        // The switch command runs as the supervisor, because only the supervisor may control the proxy.
        as: purpose !== 'switch' && runsAsService(spec) ? { spec, ...(beside && { beside }) } : undefined,
        limit: budget,
        log: spec,
        about: `${purpose === 'stop' ? 'stop_command' : purpose} of ${shownId(service)}`,
      })
      .pipe(map((outcome) => ({ type: 'command-ended', service, run, purpose, outcome })));
