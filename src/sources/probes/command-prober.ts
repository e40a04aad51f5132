// A health check by command: exit status 0 passes. A command that cannot be run is ERR0022. One that takes
// too long is killed with its descendants (ERR0023). Any other status is ERR0104.
import { map } from 'rxjs';
import { exitText } from '../../streams/domain/service/exit.ts';
import type { CommandOutcome, ProbeResult } from '../../streams/domain/event.ts';
import { shownId } from '../../streams/domain/ids.ts';
import type { ProbeWatch } from '../../streams/domain/watch.ts';
import { commandEnvironment } from '../../streams/env/own-environment.ts';
import { runsAsService } from '../../streams/launch/commands.ts';
import { excerptIn } from './excerpt.ts';
import type { ProbePorts, Prober } from './prober.ts';

export const commandProber = (ports: ProbePorts, watch: ProbeWatch, command: string): Prober => {
  const { spec, check, run, key, process: beside } = watch;
  const job = {
    ...{ key, command, directory: spec.workingDir, limit: check.attemptTimeout },
    environment: commandEnvironment(spec, ports.environment, { run, dataDir: ports.dataDir }),
    as: isOfService(watch) ? { spec, beside } : undefined,
    about: `health check of ${shownId(spec.id)}`,
  };
  return { attempt$: ports.runner.run(job).pipe(map(resultOf)), close: () => undefined };
};

/**
 * True if the check runs as the service. `switch_verify` checks the route of the traffic, not the service.
 */
const isOfService = ({ spec, check }: ProbeWatch): boolean =>
  runsAsService(spec) && check !== spec.deployment.blueGreen?.switchVerify;

/** A shell's exit statuses for a program that is not executable or not found. */
const CANNOT_RUN: readonly number[] = [126, 127];

const resultOf = (outcome: CommandOutcome): ProbeResult => {
  if (outcome.tag === 'over-budget') return { tag: 'timed-out' };
  const { status, evidence } = outcome;
  if (status.tag === 'code' && status.code === 0) return { tag: 'passed' };
  const lastLine = excerptIn(Buffer.from(evidence.at(-1) ?? ''));
  const detail = `check command ${exitText(status)}${lastLine === '' ? '' : `: ${lastLine}`}`;
  const reached = status.tag !== 'code' || !CANNOT_RUN.includes(status.code);
  return { tag: reached ? 'unhealthy' : 'unreachable', detail };
};
