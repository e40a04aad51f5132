// Runs commands on behalf of a service: `skip`, `pre_start`, probes and hooks. Each command has its own
// session and run tag, so that its processes can be found and do not count as part of the service's run. At
// the time limit and on unsubscribing, all its processes are killed. If the command ends by itself, only the
// processes in its process group are killed, because it may have been meant to start a daemon.
// Rules: `docs/behaviour.md`, "Commands on behalf of a service", "As the service", "A run tag of their own",
// "At the time limit"; `docs/behaviour.md`, "Starting", "Secrets"; `docs/behaviour.md`, "Commands on behalf
// of a service".
import { randomUUID } from 'node:crypto';
import { closeSync } from 'node:fs';
import { NEVER, Observable, defer, firstValueFrom, fromEvent, lastValueFrom, map, merge, of } from 'rxjs';
import type { Account } from '../../../streams/domain/account.ts';
import type { Evidence, ServiceError } from '../../../streams/domain/errors/error.ts';
import { messageOf } from '../../../streams/domain/errors/thrown.ts';
import type { CommandOutcome } from '../../../streams/domain/event.ts';
import type { ServiceSpec } from '../../../streams/domain/declared/spec.ts';
import type { ExitStatus } from '../../../streams/domain/service/exit-status.ts';
import { projectId, runId, serviceId, shownId } from '../../../streams/domain/ids.ts';
import type { CommandMark } from '../../../streams/domain/handed-commands.ts';
import type { ProcessRef } from '../../../streams/domain/service/process.ts';
import { ms } from '../../../streams/domain/time.ts';
import type { ProcessScanner, CommandJob, CommandRunner } from '../../../streams/domain/ports.ts';
import { refusalError } from '../../../streams/launch/launch-refusal.ts';
import { type Environment } from '../../../streams/env/service-environment.ts';
import { unitMark } from '../../../streams/env/run-tag.ts';
import { after } from '../../../streams/operators/long-timer.ts';
import { shell, type StartedChild, type ChildPlan, type StartChild } from '../start-by-node.ts';
import type { Begun, BookEntry, CommandBook } from './commands-under-way.ts';
import type { CommandLedger } from './commands-on-disk.ts';
import {
  commandOutput,
  handedOutput,
  openInput,
  type CommandOutput,
  type HookCapture,
} from './command-output.ts';
import { killRun } from '../kill-tree.ts';
import { explainRefusal } from '../explain-start-failure.ts';
import { ProgramNotStarted, type StartAs } from '../start-or-launch.ts';
import { readableSecrets, SecretNotRead, secretValues } from '../secret-values.ts';
import { killAll, killLeftovers } from '../signal-each.ts';
import { LaunchRefused } from '../../privilege/launch-reports.ts';

interface RunnerPorts {
  readonly start: StartChild;
  /**
   * Starts commands with the kernel settings of their service. If absent, a command that needs them fails.
   */
  readonly startAs?: StartAs;
  /** Makes the state directory of a service. */
  readonly provideState?: (spec: ServiceSpec) => Promise<void>;
  readonly capture: HookCapture;
  /** True with `--sys`: only root may then be able to change the files of secrets. */
  readonly sys?: boolean;
  /** Finds processes that left the command's session. If absent, only the process group is killed. */
  readonly scanner?: ProcessScanner;
  /** Records running commands on disk for the next supervisor. */
  readonly ledger?: CommandLedger;
  /** The running commands that this program started, and those that an earlier program handed over. */
  readonly book?: CommandBook;
  /** Resolves with the exit of a handed-over process, if it can be awaited. */
  readonly endOf?: (process: ProcessRef) => Promise<ExitStatus> | undefined;
}

const COMMANDS = projectId('!command');
const EVIDENCE_LINES = 10;
/** The exit status that a shell reports for a missing program. Also used if the shell cannot be started. */
const COULD_NOT_RUN: ExitStatus = { tag: 'code', code: 127 };

export const commandRunner = (ports: RunnerPorts): CommandRunner => {
  // This id belongs to no service, because names of projects contain no `!`. Its random part distinguishes
  // these commands from the commands of the previous supervisor.
  const service = serviceId(COMMANDS, randomUUID());
  let commands = 0;
  const runner: CommandRunner = {
    hooksLeft: () =>
      (ports.book?.left() ?? []).flatMap(({ key, hook }) => (hook === undefined ? [] : [{ ...hook, key }])),
    run(job) {
      return defer(() => {
        commands += 1;
        return conducted(ports, job, { service, run: runId(commands) });
      });
    },
  };
  return runner;
};

function conducted(ports: RunnerPorts, job: CommandJob, mark: CommandMark): Observable<CommandOutcome> {
  return new Observable((subscriber) => {
    const abort = new AbortController();
    runJob(ports, { job, mark, abort: abort.signal }).then(
      (outcome) => {
        subscriber.next(outcome);
        subscriber.complete();
      },
      (error: unknown) => subscriber.error(error),
    );
    return () => abort.abort();
  });
}

interface Task {
  readonly job: CommandJob;
  readonly mark: CommandMark;
  readonly abort: AbortSignal;
}

const runJob = async (ports: RunnerPorts, task: Task): Promise<CommandOutcome> => {
  const handed = ports.book?.take(task.job.key);
  if (handed !== undefined) return resumed(ports, task, handed);
  const output = await commandOutput(ports.capture, task.job);
  try {
    return task.abort.aborted ? { tag: 'over-budget' } : await attempt(ports, task, output);
  } finally {
    output.close();
  }
};

const attempt = async (ports: RunnerPorts, task: Task, output: CommandOutput): Promise<CommandOutcome> => {
  const over = ports.ledger?.begin(unitMark(task.mark.service, task.mark.run), aboutOf(task.job));
  const entry: BookEntry = { ...entryOf(task), scratch: output.scratch };
  const endEntry = ports.book?.begin(entry);
  try {
    const child = await withInput(task, (input) => begun(ports, { ...task, input }, output));
    entry.process = child.process;
    // A start through a launcher may take long, and this time counts towards the limit.
    const job = task.job.as === undefined ? task.job : { ...task.job, ...restOf(entry, task.job) };
    return await supervised(ports, { ...task, job }, { child, entry, lastLines: output.lastLines });
  } catch (error) {
    return { tag: 'ended', status: COULD_NOT_RUN, ...(await whyNotRun(task, error)) };
  } finally {
    endEntry?.();
    over?.();
  }
};

const where = ({ command, directory }: CommandJob): Pick<ChildPlan, 'argv' | 'directory'> => ({
  argv: shell(command),
  directory,
});

const secretsFor = ({ sys = false }: RunnerPorts, { secretsOf, hook }: CommandJob): Environment =>
  hook === undefined
    ? secretValues(secretsOf?.env.secrets, sys)
    : readableSecrets(secretsOf?.env.secrets, sys);

/** Starts the command with the text for its standard input, if there is one. */
const withInput = async <T>({ job }: Task, start: (input: number | undefined) => Promise<T>): Promise<T> => {
  const input = job.input === undefined ? undefined : openInput(job.input);
  try {
    return await start(input);
  } finally {
    if (input !== undefined) closeSync(input);
  }
};

interface Fed extends Task {
  readonly input: number | undefined;
}

const begun = async (
  ports: RunnerPorts,
  { job, mark, input }: Fed,
  output: CommandOutput,
): Promise<StartedChild> => {
  const unit = unitMark(mark.service, mark.run);
  const planFor = (account?: Account, uid?: number): ChildPlan => {
    if (uid !== undefined) ports.ledger?.begin(unit, aboutOf(job), uid);
    return {
      ...where(job),
      environment: { ...job.environment(account), ...secretsFor(ports, job), SUP_UNIT: unit },
      ...(input !== undefined && { input }),
      ...(output.descriptors && { output: output.descriptors }),
    };
  };
  if (job.as === undefined) {
    if (job.stateOf !== undefined) await ports.provideState?.(job.stateOf);
    return ports.start(planFor());
  }
  if (ports.startAs === undefined) throw new Error('commands are not started as a service here');
  return ports.startAs(job.as, planFor);
};

/** Returns the service for which settings or a state directory had to be prepared before the command. */
const preparedFor = ({ as, stateOf }: CommandJob): ServiceSpec | undefined => as?.spec ?? stateOf;

/** Resolves to the reason why the command did not run. */
const whyNotRun = async (
  { job }: Task,
  error: unknown,
): Promise<{ readonly evidence: Evidence; readonly refused?: ServiceError }> => {
  const spec = preparedFor(job);
  if (spec !== undefined && error instanceof LaunchRefused) {
    const { refusal } = error;
    const refused = refusalError(spec.id, refusal);
    return { evidence: [`${refusal.code} ${refusal.key}: ${refusal.detail}`], refused };
  }
  if (error instanceof SecretNotRead) {
    const refused = job.secretsOf && error.errorOf(job.secretsOf.id);
    return { evidence: [`ERR0124 ${error.message}`], ...(refused && { refused }) };
  }
  const { detail } =
    error instanceof ProgramNotStarted
      ? await error.explanation()
      : await explainRefusal({ ...where(job), environment: job.environment() }, error);
  return { evidence: [detail] };
};

const aboutOf = ({ about = '', hook }: CommandJob): string =>
  hook === undefined ? about : `hook ${hook.name} of ${shownId(hook.service)}`;

const entryOf = ({ job, mark }: Task): BookEntry => ({
  ...{ key: job.key ?? unitMark(mark.service, mark.run), mark, hook: job.hook },
  until: job.limit === undefined ? undefined : performance.now() + job.limit,
});

const exitOf = ({ endOf }: RunnerPorts, { process, status }: Begun): Promise<ExitStatus> =>
  (status === undefined ? endOf?.(process) : Promise.resolve(status)) ?? Promise.resolve({ tag: 'unknown' });

/** Returns the time left until the command's deadline, at most its time limit. */
const restOf = ({ until }: BookEntry, { limit = ms(Infinity) }: CommandJob): Pick<CommandJob, 'limit'> =>
  until === undefined ? {} : { limit: ms(Math.min(limit, Math.max(0, until - performance.now()))) };

/**
 * Continues to supervise a handed-over command. Awaits its exit at once, so that the exit is not missed. An
 * error becomes an unknown exit status.
 */
const resumed = async (ports: RunnerPorts, task: Task, handed: Begun): Promise<CommandOutcome> => {
  const { mark } = handed;
  const child: StartedChild = { process: handed.process, exit: exitOf(ports, handed) };
  const entry: BookEntry = { ...handed };
  const endEntry = ports.book?.begin(entry);
  const unit = unitMark(mark.service, mark.run);
  const over = ports.ledger?.begin(unit, aboutOf(task.job), handed.process.uid);
  const output = handedOutput(ports.capture, task.job, handed.scratch);
  const job = { ...task.job, ...restOf(handed, task.job) };
  try {
    return await supervised(ports, { ...task, job, mark }, { child, entry, lastLines: output.lastLines });
  } catch (error) {
    return { tag: 'ended', status: { tag: 'unknown' }, evidence: [messageOf(error)] };
  } finally {
    output.close();
    endEntry?.();
    over?.();
  }
};

interface Running {
  readonly child: StartedChild;
  readonly entry: BookEntry;
  readonly lastLines: CommandOutput['lastLines'];
}

const supervised = async (ports: RunnerPorts, task: Task, running: Running): Promise<CommandOutcome> => {
  const { child, entry, lastLines } = running;
  const status = await firstValueFrom(merge(child.exit, timeUp(task)), { defaultValue: undefined });
  if (status === undefined) {
    await killTree(ports.scanner, task.mark, child);
    return { tag: 'over-budget' };
  }
  entry.status = status;
  killLeftovers(child.process);
  return { tag: 'ended', status, evidence: await lastLines(EVIDENCE_LINES) };
};

function timeUp({ job, abort }: Task): Observable<undefined> {
  const limit$ = job.limit === undefined ? NEVER : after(job.limit);
  // The signal may have been aborted while the command was being started.
  const abort$ = abort.aborted ? of(abort) : fromEvent(abort, 'abort');
  return merge(limit$, abort$).pipe(map(() => undefined));
}

const killTree = async (
  scanner: ProcessScanner | undefined,
  mark: CommandMark,
  child: StartedChild,
): Promise<void> => {
  const leader = child.process;
  if (scanner === undefined) killAll([leader], leader);
  else
    await lastValueFrom(killRun(scanner, { ...mark, leader, targets: [leader] }), {
      defaultValue: undefined,
    });
};
