// Starts the process of a run or of a command, through a launcher if kernel settings are declared.
// Rules: `docs/behaviour.md`, "Starting", "The process"; `docs/behaviour.md`, "Commands on behalf of a
// service", "As the service"; `docs/behaviour.md`, "Restarting", "Refused for good".
import { fchownSync } from 'node:fs';
import { errnoOf } from '../../os/errno.ts';
import type { Launchers } from '../privilege/launcher-pool.ts';
import { type Mode, prepare, type Prepared } from '../privilege/prepare-launch.ts';
import { LaunchRefused, ProgramRefused } from '../privilege/launch-reports.ts';
import type { StartedChild, ChildPlan, StartChild } from './start-by-node.ts';
import { explainRefusal, type Explanation } from './explain-start-failure.ts';
import { lendOutput } from './commands/command-output.ts';
import type { Account } from '../../streams/domain/account.ts';
import { messageOf } from '../../streams/domain/errors/thrown.ts';
import type { CommandJob, Outlets } from '../../streams/domain/ports.ts';
import type { Skipped } from '../../streams/domain/service/service-run.ts';
import { joiningNetwork, withoutCgroup } from '../../streams/launch/command-as-service.ts';
import { finalRefusal } from '../../streams/launch/launch-refusal.ts';
import { credentialVariables } from '../../streams/launch/mounts/credential-steps.ts';

export interface Started extends StartedChild {
  readonly skipped: readonly Skipped[];
}

/** Thrown if the kernel refused to start the program. `explanation` finds out why. */
export class ProgramNotStarted extends Error {
  readonly explanation: () => Promise<Explanation>;

  constructor(explanation: () => Promise<Explanation>) {
    super('the program was not started');
    this.explanation = explanation;
  }
}

export interface StartProcessPorts {
  readonly start: StartChild;
  readonly mode: Mode;
  readonly launchers: Launchers;
}

interface Job {
  readonly plan: ChildPlan;
  readonly prepared: Prepared;
}

/** Returns why fchown(2) failed, in words. EINVAL means that the user namespace has no such user or group. */
const whyNot = (error: unknown): string =>
  errnoOf(error) === 'EINVAL' ? 'it is not mapped into this user namespace (EINVAL)' : messageOf(error);

/**
 * Makes the service's user the owner of the service's output, so that the service can reopen `/dev/stdout`.
 * Throws `LaunchRefused`.
 */
export const ownedBy = ({ owner, account }: Prepared, { stdout, stderr }: Outlets): void => {
  if (owner === undefined) return;
  const { told, uid, gid } = owner;
  try {
    for (const descriptor of [stdout, stderr]) fchownSync(descriptor, uid, gid);
  } catch (error) {
    const detail = `${told} cannot be given its output: ${whyNot(error)}`;
    if (account === undefined)
      throw new LaunchRefused(finalRefusal({ code: 'ERR0725', key: 'isolation.user', detail }));
    throw new LaunchRefused(finalRefusal({ code: 'ERR0742', key: 'user', detail }));
  }
};

/** Starts the process. Rejects with `ProgramNotStarted` or `LaunchRefused`. */
export const started = async (ports: StartProcessPorts, job: Job): Promise<Started> => {
  const { plan, prepared } = job;
  try {
    return prepared.stages.length === 0
      ? { ...(await ports.start(plan)), skipped: prepared.skipped }
      : await throughLauncher(ports, job);
  } catch (error) {
    if (prepared.stages.length > 0 && !(error instanceof ProgramRefused)) throw error;
    throw new ProgramNotStarted(() => explained(job, error));
  }
};

/**
 * Resolves to the reason why the kernel refused the program. If the program is confined and the error is
 * EACCES, the files are not checked: the supervisor has other rights than the program, so the check could be
 * wrong.
 */
const explained = async ({ plan, prepared }: Job, error: unknown): Promise<Explanation> => {
  const code = errnoOf(error);
  if (prepared.stages.length === 0 || code !== 'EACCES') return explainRefusal(plan, error);
  const forUser = prepared.account === undefined ? '' : ` for user ${prepared.account.name}`;
  const program = plan.argv[0] ?? '';
  const detail = `program ${program} is not executable${forUser}, or lies outside isolation.landlock (EACCES)`;
  return { about: 'program', detail };
};

const MARKS = ['SUP_UNIT', 'SUP_PROJECT', 'SUP_SERVICE', 'SUP_SUPERVISOR'];

const throughLauncher = async (ports: StartProcessPorts, { plan, prepared }: Job): Promise<Started> => {
  const { mode, launchers } = ports;
  const { stages, skipped } = prepared;
  const last = stages.length - 1;
  const { argv, input, output, descriptors = [] } = plan;
  const environment = { ...plan.environment, ...credentialVariables(stages) };
  const child = await launchers.launch({
    launcher: mode.launcher,
    softFiles: mode.softFiles,
    orders: stages.map((steps, at) => (at === last ? { steps, program: { argv, environment } } : { steps })),
    environment: Object.fromEntries(Object.entries(environment).filter(([name]) => MARKS.includes(name))),
    ...(input !== undefined && { input }),
    ...(output && { output }),
    descriptors,
  });
  return { ...child, skipped: [...skipped, ...child.skipped] };
};

/**
 * Returns the plan of a command that runs as `account`, if one is declared. `uid`: the uid of the command as
 * the supervisor sees it, from outside of a user namespace; `undefined` for the uid of the supervisor.
 */
type PlanFor = (account: Account | undefined, uid: number | undefined) => ChildPlan;

/** Starts a command with the settings of its service. Rejects with `LaunchRefused` or `ProgramNotStarted`. */
export type StartAs = (as: NonNullable<CommandJob['as']>, planFor: PlanFor) => Promise<StartedChild>;

export const startAsService =
  (ports: StartProcessPorts): StartAs =>
  async ({ spec, beside }, planFor) => {
    const prepared = await prepare(withoutCgroup(spec), ports.mode);
    const { stages, account, owner } = prepared;
    const plan = planFor(account, owner?.uid);
    if (account !== undefined) lendOutput(account, plan.output);
    const own = { ...prepared, stages: beside === undefined ? stages : joiningNetwork(stages, beside) };
    const begin = (): Promise<StartedChild> => started(ports, { plan, prepared: own });
    return stages.length === 0 ? begin() : ports.launchers.again(begin);
  };
