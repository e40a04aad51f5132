// A health check by command: exit 0 passes. A command that cannot be run reaches nothing (ERR0022), one that takes
// too long is killed with all it started (ERR0023), any other status is a bad answer (ERR0104).
import { map } from 'rxjs';
import { exitText } from '../../streams/domain/service/exit.ts';
import type { CommandOutcome, ProbeResult } from '../../streams/domain/event.ts';
import { shownId } from '../../streams/domain/ids.ts';
import type { ProbeWatch } from '../../streams/domain/watch.ts';
import { ownEnvironmentFor } from '../../streams/env/own-environment.ts';
import { serviceEnvironment } from '../../streams/env/service-environment.ts';
import { excerptIn } from './excerpt.ts';
import type { ProbePorts, Prober } from './prober.ts';

export const commandProber = (ports: ProbePorts, watch: ProbeWatch, command: string): Prober => {
  const { spec, check, run, key } = watch;
  const environment = serviceEnvironment(spec, ownEnvironmentFor(spec, ports.environment), {
    run,
    dataDir: ports.dataDir,
  });
  const about = `health check of ${shownId(spec.id)}`;
  const job = { key, command, directory: spec.workingDir, environment, limit: check.attemptTimeout, about };
  return { attempt$: ports.runner.run(job).pipe(map(resultOf)), close: () => undefined };
};

/** What a shell says of a program that is not executable, or not there. */
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
