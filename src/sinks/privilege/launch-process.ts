// Starts a process through a launcher: a process that applies kernel settings to itself and then executes the
// program with the same pid. Before the supervisor sends the steps, it reads the launcher's identity and
// begins to await its exit.
import { writeFileSync } from 'node:fs';
import type { Duplex } from 'node:stream';
import { errnoOf } from '../../os/errno.ts';
import { statOf } from '../../os/proc/process-stat.ts';
import { messageOf } from '../../streams/domain/errors/thrown.ts';
import type { ExitStatus } from '../../streams/domain/service/exit-status.ts';
import type { ProcessRef } from '../../streams/domain/service/process.ts';
import type { Skipped } from '../../streams/domain/service/service-run.ts';
import { mapText, type IdMapping } from '../../streams/launch/id-ranges.ts';
import type { LaunchOrder, LaunchReport } from '../../streams/launch/launch-step.ts';
import { frameOf } from './launcher/launcher-protocol.ts';
import { failureIn, LaunchRefused, reportsOf, skippedIn } from './launch-reports.ts';

export interface LaunchedChild {
  readonly process: ProcessRef;
  readonly exit: Promise<ExitStatus>;
  /** Steps that the kernel refused and the plan allows to skip. */
  readonly skipped: readonly Skipped[];
}

export interface LaunchRequest {
  readonly launcher: string;
  /** The soft limit on open files if none is declared. It must be set, because Node has raised the limit. */
  readonly softFiles?: number | undefined;
  readonly orders: readonly LaunchOrder[];
  /** The launcher's environment: the run tag, by which a process scan recognises the launcher at once. */
  readonly environment: Readonly<Record<string, string>>;
  /** The descriptor for standard input; absent: /dev/null. */
  readonly input?: number;
  readonly output?: { readonly stdout: number; readonly stderr: number };
  /** Descriptors that the program gets as 3, 4 and so on. */
  readonly descriptors: readonly number[];
}

/** A launcher process that waits for its steps on the channel. */
export interface Launcher {
  readonly pid: number;
  readonly exit: Promise<ExitStatus>;
  readonly channel: Duplex;
}

/** Resolves with the exit status of a child that a launcher forked. Call it as soon as the pid is known. */
export type EndOf = (pid: number) => Promise<ExitStatus>;

/** Starts a launcher. Rejects with `NotLaunched` if no process was started. */
export type StartLauncher = (request: LaunchRequest) => Promise<Launcher>;

const PATIENCE_MS = 30_000;

type LaunchedProcess = Pick<Launcher, 'pid' | 'exit'>;

const identityOf = ({ pid }: LaunchedProcess): ProcessRef => ({
  pid,
  startTicks: statOf(pid)?.startTicks ?? 0,
});

/** The process being launched: the launcher, or the forked child that continues its work. */
class Launching {
  #current: LaunchedProcess;
  #identity: ProcessRef;
  #isOver = false;

  constructor(launched: LaunchedProcess) {
    this.#current = launched;
    this.#identity = identityOf(launched);
    this.#listen();
  }

  get identity(): ProcessRef {
    return this.#identity;
  }

  get exit(): Promise<ExitStatus> {
    return this.#current.exit;
  }

  continueAs(launched: LaunchedProcess): void {
    this.#current = launched;
    this.#identity = identityOf(launched);
    this.#listen();
  }

  #listen(): void {
    const launched = this.#current;
    void launched.exit.then(() => {
      if (this.#current === launched) this.#isOver = true;
    });
  }

  kill(): void {
    if (!this.#isOver) process.kill(this.#current.pid, 'SIGKILL');
  }
}

/** Writes the id maps of the user namespace of the process, from outside of it. Throws `LaunchRefused`. */
const mapInside = (pid: number, orders: readonly LaunchOrder[]): void => {
  const steps = orders.flatMap((order) => order.steps);
  const maps = steps.flatMap((step) => (step.tag === 'user-namespace' ? (step.maps ?? []) : []));
  for (const { users, groups } of maps) {
    writeMap(`/proc/${pid}/gid_map`, groups);
    writeMap(`/proc/${pid}/uid_map`, users);
  }
};

const writeMap = (file: string, mappings: readonly IdMapping[]): void => {
  try {
    // The kernel accepts only one write to an id map, so this write contains all mappings.
    writeFileSync(file, mapText(mappings));
  } catch (error) {
    const ids = mappings.map(({ outside, count }) => `${outside} to ${outside + count - 1}`).join(', ');
    const detail = `ids ${ids} cannot be mapped: ${errnoOf(error) ?? messageOf(error)}`;
    throw new LaunchRefused({ code: 'ERR0725', key: 'isolation.user', detail });
  }
};

const conversation = async (
  launching: Launching,
  { channel, orders, endOf }: Pick<Launcher, 'channel'> & Pick<LaunchRequest, 'orders'> & { endOf: EndOf },
): Promise<readonly LaunchReport[]> => {
  const patience = setTimeout(() => launching.kill(), PATIENCE_MS);
  try {
    // A write fails if the launcher has ended. The error is ignored, because the last report says the reason.
    channel.on('error', () => undefined);
    const reports: LaunchReport[] = [];
    const waiting = [...orders];
    const tellNext = (): void => {
      const order = waiting.shift();
      if (order !== undefined) channel.write(frameOf(order));
    };
    tellNext();
    for await (const report of reportsOf(channel)) {
      reports.push(report);
      if (report.tag === 'moved') launching.continueAs({ pid: report.pid, exit: endOf(report.pid) });
      if (report.tag !== 'next') continue;
      if (report.inside) mapInside(launching.identity.pid, orders);
      tellNext();
    }
    return reports;
  } catch (error) {
    launching.kill();
    throw error;
  } finally {
    clearTimeout(patience);
    channel.destroy();
  }
};

/** Resolves when the program has been executed. Rejects with `LaunchRefused` or `ProgramRefused`. */
export const startLaunched = async (
  request: LaunchRequest,
  start: StartLauncher,
  endOf: EndOf,
): Promise<LaunchedChild> => {
  const { orders } = request;
  const { channel, ...launcher } = await start(request);
  const launching = new Launching(launcher);
  const reports = await conversation(launching, { channel, orders, endOf }).catch(async (error: unknown) => {
    await launching.exit;
    throw error;
  });
  const { identity, exit } = launching;
  const failure = failureIn(reports);
  if (failure === undefined) return { process: identity, exit, skipped: skippedIn(reports) };
  await exit;
  throw failure;
};
