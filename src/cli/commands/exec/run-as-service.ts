// Runs a command with the directory, variables, user and confinement of a service. The command has no run
// tag, so the supervisor does not treat it as a process of the service and does not stop it.
import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { dirname, join } from 'node:path';
import { ownSoftFiles } from '../../../os/children/file-limit.ts';
import { statOfProcess } from '../../../os/proc/process-stat.ts';
import { prepare, type Mode, type Prepared } from '../../../sinks/privilege/prepare-launch.ts';
import { LaunchRefused } from '../../../sinks/privilege/launch-reports.ts';
import type { ChildPlan } from '../../../sinks/process/start-by-node.ts';
import { explainRefusal } from '../../../sinks/process/explain-start-failure.ts';
import { SecretNotRead, secretValues } from '../../../sinks/process/secret-values.ts';
import { ProgramNotStarted } from '../../../sinks/process/start-or-launch.ts';
import type { ServiceSpec } from '../../../streams/domain/declared/spec.ts';
import { messageOf } from '../../../streams/domain/errors/thrown.ts';
import type { ExitStatus } from '../../../streams/domain/service/exit-status.ts';
import type { Service } from '../../../streams/domain/service/service.ts';
import { ownEnvironmentFor, unmarkedEnvironment } from '../../../streams/env/service-environment.ts';
import { identityOnly, joiningNetwork, withoutCgroup } from '../../../streams/launch/command-as-service.ts';
import { credentialsPlace } from '../../../streams/launch/mounts/credential-steps.ts';
import { refusalError } from '../../../streams/launch/launch-refusal.ts';
import type { Context } from '../../context.ts';
import { failure, type Failure } from '../../../streams/views/errors/command-failure.ts';
import { passingOn, runApart } from './run-launched.ts';
import { inheritedEnvironment } from '../../client/ensure-supervisor.ts';

interface Here {
  readonly argv: readonly string[];
  readonly service: Service;
  readonly plan: PlanUse;
  /** Environment variables that the command gets in addition to those of the service. */
  readonly more?: Readonly<Record<string, string>>;
  /**
   * If true, the output of the command goes to standard error, because standard output is for the result of
   * `sup`.
   */
  readonly aside?: boolean;
  /** If set, the command gets its own session, which is killed when the signal aborts. */
  readonly until?: AbortSignal | undefined;
}

/**
 * Signals that the terminal sends to this process and also to the command, so this process must not forward
 * them.
 */
const SHARED = ['SIGINT', 'SIGQUIT'] as const;
const PASSED_ON = ['SIGTERM', 'SIGHUP'] as const;

const nothing = (): void => undefined;

const exitOf = (child: ReturnType<typeof spawn>): Promise<ExitStatus> =>
  new Promise<ExitStatus>((settle, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) => {
      settle(signal === null ? { tag: 'code', code: code ?? 0 } : { tag: 'signal', signal });
    });
  });

const ended = (child: ReturnType<typeof spawn>): Promise<ExitStatus> => {
  const passOn = (signal: NodeJS.Signals): void => void child.kill(signal);
  SHARED.forEach((signal) => process.on(signal, nothing));
  PASSED_ON.forEach((signal) => process.on(signal, passOn));
  return exitOf(child).finally(() => {
    SHARED.forEach((signal) => process.off(signal, nothing));
    PASSED_ON.forEach((signal) => process.off(signal, passOn));
  });
};

/**
 * Which parts of the service's launch plan apply to the command: all parts (`service`), only the user
 * (`user`), or no part (`supervisor`).
 */
type PlanUse = 'service' | 'user' | 'supervisor';

const usedOf = (spec: ServiceSpec, use: PlanUse): ServiceSpec =>
  use === 'service' ? withoutCgroup(spec) : identityOnly(spec);

const NOTHING: Prepared = { stages: [], skipped: [] };

const launcherBeside = (supervisor: string): string => join(dirname(supervisor), 'launcher.cjs');

/** Returns the launch mode. Root applies all privileged keys, to confine the command like the service. */
const modeOf = ({ world: { uid, supervisor }, dataDir }: Context): Mode => ({
  privileged: uid === 0,
  launcher: launcherBeside(supervisor),
  softFiles: ownSoftFiles(),
  credentialsAt: credentialsPlace(dataDir, { sys: uid === 0 }),
});

const preparedFor = async (mode: Mode, { service: { spec, actual }, plan }: Here): Promise<Prepared> => {
  if (plan === 'supervisor') return NOTHING;
  const prepared = await prepare(usedOf(spec, plan), mode);
  const running = 'process' in actual && statOfProcess(actual.process) !== undefined;
  return running ? { ...prepared, stages: joiningNetwork(prepared.stages, actual.process) } : prepared;
};

const whyNot = ({ service: { spec }, aside, argv }: Here, error: unknown): Failure => {
  const service = spec.id;
  if (error instanceof LaunchRefused) return failure(refusalError(service, error.refusal));
  if (error instanceof SecretNotRead) return failure(error.errorOf(service));
  const asked = aside === true ? {} : { command: argv[0] ?? '' };
  return failure({ code: 'ERR0113', service, detail: messageOf(error), ...asked });
};

interface Standing {
  readonly output: number;
  readonly until: AbortSignal | undefined;
}

/**
 * Runs the command on this terminal and in this session. If `until` is given, the command gets its own
 * session.
 */
const runBeside = (
  { argv: [program = '', ...args], directory, environment }: ChildPlan,
  { output, until }: Standing,
): Promise<ExitStatus> => {
  const detached = until !== undefined;
  const child = spawn(program, args, { cwd: directory, env: environment, stdio: [0, output, 2], detached });
  return detached && child.pid !== undefined
    ? passingOn({ child: Promise.resolve({ session: child.pid, exit: exitOf(child) }), until })
    : ended(child);
};

interface Run {
  readonly prepared: Prepared;
  readonly mode: Mode;
  readonly plan: ChildPlan;
}

/**
 * Runs the command and resolves to its exit status. Rejects with `LaunchRefused` if the launcher refuses a
 * part of the launch plan, and with another error if the command cannot be started.
 */
const run = async ({ prepared, mode, plan }: Run, { output, until }: Standing): Promise<ExitStatus> => {
  try {
    return prepared.stages.length === 0
      ? await runBeside(plan, { output, until })
      : await runApart({ plan, prepared, mode, standard: [0, output, 2], until });
  } catch (error) {
    if (error instanceof LaunchRefused) throw error;
    const { detail } =
      error instanceof ProgramNotStarted ? await error.explanation() : await explainRefusal(plan, error);
    throw new Error(detail, { cause: error });
  }
};

/**
 * Runs the command and resolves to its exit status. Rejects with ERR0113 if the command cannot be started. If
 * the kernel refuses a part of the launch plan, rejects with the code of that part, such as ERR0742.
 */
export const runHere = async (context: Context, here: Here): Promise<ExitStatus> => {
  const { argv, service, more, aside, until } = here;
  const { spec } = service;
  const inherited = await inheritedEnvironment(context);
  const mode = modeOf(context);
  try {
    const prepared = await preparedFor(mode, here);
    const own = ownEnvironmentFor(spec, inherited, prepared.account);
    const secrets = secretValues(spec.env.secrets, context.sys);
    const environment = { ...unmarkedEnvironment(spec, own), ...secrets, ...more };
    const plan = { argv, directory: spec.workingDir, environment };
    return await run({ prepared, mode, plan }, { output: aside === true ? 2 : 1, until });
  } catch (error) {
    throw whyNot(here, error);
  }
};

/** Returns the status as a shell reports it: the exit code, or 128 + n after signal n. */
export const shellStatus = (status: ExitStatus): number => {
  if (status.tag === 'code') return status.code;
  const number = Object.entries(constants.signals).find(
    ([name]) => status.tag === 'signal' && name === status.signal,
  )?.[1];
  return 128 + (number ?? 0);
};
