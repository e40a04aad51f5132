// Starts a process through the launcher: Node, a few megabytes and some fifty milliseconds, until it becomes the program.
// The pid and the start time stay. Its identity is read and its exit listened to in the tick of the spawn.
import { spawn, type ChildProcess } from 'node:child_process';
import type { Duplex } from 'node:stream';
import { errnoOf } from '../../os/errno.ts';
import { statOf } from '../../os/proc/proc-stat.ts';
import { INSTALL_FFI } from '../../os/libc.ts';
import type { ExitStatus } from '../../streams/domain/service/exit.ts';
import type { ProcessRef } from '../../streams/domain/service/process.ts';
import type { Order, Report } from '../../streams/launch/order.ts';
import { codeOfStep, type LaunchRefusal } from '../../streams/launch/refusal.ts';
import type { Skipped } from '../../streams/domain/service/skipped.ts';
import { channelAfter, frameOf } from './launcher/channel.ts';
import { softFilesArgument } from './launcher/soft-files.ts';

interface LaunchedChild {
  readonly process: ProcessRef;
  readonly exit: Promise<ExitStatus>;
  /** What the kernel refused and the plan let pass. */
  readonly skipped: readonly Skipped[];
}

interface LaunchRequest {
  /** The bundle of the launcher. */
  readonly launcher: string;
  /** The soft limit on open files of a service that declares none: Node raises its own. */
  readonly softFiles?: number | undefined;
  readonly orders: readonly Order[];
  /** The marks by which the process is found from its first moment. */
  readonly environment: Readonly<Record<string, string>>;
  readonly output?: { readonly stdout: number; readonly stderr: number };
  /** For the program, from 3 on. */
  readonly descriptors: readonly number[];
}

/** A step was refused, or the launcher could not work: the program was not run. */
export class LaunchFailed extends Error {
  readonly refusal: LaunchRefusal;

  constructor(refusal: LaunchRefusal) {
    super(refusal.detail);
    this.refusal = refusal;
  }
}

/** Everything was done, and then the program could not be executed; `code` as in Node's own errors. */
export class ProgramRefused extends Error {
  readonly code: string;

  constructor(code: string) {
    super(`exec: ${code}`);
    this.code = code;
  }
}

const PATIENCE_MS = 30_000;
/** No helpers for compiling and collecting: it lives for a moment. */
const NODE_OPTIONS = ['--v8-pool-size=0', '--max-semi-space-size=2'];

const launcherFailed = (detail: string): LaunchFailed =>
  new LaunchFailed({ code: 'ERR0745', key: 'launcher', detail });

const failureIn = (reports: readonly Report[]): Error | undefined => {
  for (const report of reports) {
    if (report.tag === 'refused')
      return new LaunchFailed({
        code: codeOfStep(report.step),
        key: report.key,
        detail: report.detail,
      });
    if (report.tag === 'no-program') return new ProgramRefused(report.code);
    if (report.tag === 'helpless') return launcherFailed(`${report.detail}: ${INSTALL_FFI}`);
  }
  return reports.some(({ tag }) => tag === 'going')
    ? undefined
    : launcherFailed('the launcher ended before its work was done');
};

const skippedIn = (reports: readonly Report[]): readonly Skipped[] => {
  const skipped = reports.flatMap((report) =>
    report.tag === 'skipped' ? [{ key: report.key, detail: report.detail }] : [],
  );
  return skipped.filter(
    ({ key, detail }, at) =>
      skipped.findIndex((other) => other.key === key && other.detail === detail) === at,
  );
};

/** Everything the launcher said, once it has closed its end: by becoming the program, or by ending. */
const reportsOf = async (channel: Duplex): Promise<readonly Report[]> => {
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of channel) chunks.push(Buffer.from(chunk as Uint8Array));
  } catch (error) {
    if (errnoOf(error) !== 'ECONNRESET') throw error;
  }
  const lines = Buffer.concat(chunks).toString('utf8').split('\n').filter(Boolean);
  return lines.map((line) => JSON.parse(line) as Report);
};

const exitOf = (child: ChildProcess): Promise<ExitStatus> =>
  new Promise((settle) => {
    child.once('exit', (code, signal) => {
      if (signal !== null) settle({ tag: 'signal', signal });
      else settle(code === null ? { tag: 'unknown' } : { tag: 'code', code });
    });
  });

const conversation = async (
  child: ChildProcess,
  { orders, descriptors }: LaunchRequest,
): Promise<readonly Report[]> => {
  // Five places are all that the types know of.
  const channel = (child.stdio as readonly unknown[])[channelAfter(descriptors.length)] as Duplex;
  const patience = setTimeout(() => child.kill('SIGKILL'), PATIENCE_MS);
  try {
    // Who ends before it has read all says why in what it wrote.
    channel.on('error', () => undefined);
    for (const order of orders) channel.write(frameOf(order));
    return await reportsOf(channel);
  } finally {
    clearTimeout(patience);
    channel.destroy();
  }
};

const startLauncher = ({
  launcher,
  softFiles,
  environment,
  output,
  descriptors,
}: LaunchRequest): Promise<ChildProcess> =>
  new Promise((resolve, reject) => {
    const { stdout, stderr } = output ?? { stdout: 'ignore' as const, stderr: 'ignore' as const };
    const told = [String(descriptors.length), ...softFilesArgument(softFiles)];
    const child = spawn(process.execPath, [...NODE_OPTIONS, launcher, ...told], {
      cwd: '/',
      env: environment,
      detached: true,
      stdio: ['ignore', stdout, stderr, ...descriptors, 'pipe'],
    });
    // Kept for good: an `error` event without a listener would end the supervisor.
    child.on('error', (error) => reject(launcherFailed(error.message)));
    if (child.pid !== undefined) resolve(child);
  });

/** Resolves when the program has begun. Rejects with `LaunchFailed` or `ProgramRefused`. */
export const startLaunched = async (request: LaunchRequest): Promise<LaunchedChild> => {
  const child = await startLauncher(request);
  const exit = exitOf(child);
  const pid = child.pid ?? 0;
  const identity = { pid, startTicks: statOf(pid)?.startTicks ?? 0 };
  const reports = await conversation(child, request);
  const failure = failureIn(reports);
  if (failure === undefined) return { process: identity, exit, skipped: skippedIn(reports) };
  await exit;
  throw failure;
};
