// Starts a launcher as a new Node process: a few megabytes and some fifty milliseconds.
import { spawn, type ChildProcess } from 'node:child_process';
import type { Duplex } from 'node:stream';
import type { ExitStatus } from '../../streams/domain/service/exit.ts';
import type { Launcher, LaunchRequest } from './launched.ts';
import { channelAfter } from './launcher/channel.ts';
import { makesPidNamespace } from '../../streams/launch/step.ts';
import { FOR_COPIES } from './launcher/pid-namespace.ts';
import { softFilesArgument } from './launcher/soft-files.ts';
import { NotLaunched } from './reports.ts';

/** No helper threads for compilation and garbage collection: a launcher lives only a moment. */
export const NODE_OPTIONS: readonly string[] = ['--v8-pool-size=0', '--max-semi-space-size=2'];

const exitOf = (child: ChildProcess): Promise<ExitStatus> =>
  new Promise((settle) => {
    child.once('exit', (code, signal) => {
      if (signal !== null) settle({ tag: 'signal', signal });
      else settle(code === null ? { tag: 'unknown' } : { tag: 'code', code });
    });
  });

/** The launcher; its exit is listened to in the tick of the spawn. */
const launcherOf = (child: ChildProcess, pid: number, handed: number): Launcher => ({
  pid,
  exit: exitOf(child),
  // The types know only five descriptors.
  channel: (child.stdio as readonly unknown[])[channelAfter(handed)] as Duplex,
});

/** Starts a launcher. Rejects with `NotLaunched`. */
export const newLauncher = ({
  launcher,
  orders,
  softFiles,
  environment,
  input,
  output,
  descriptors,
}: LaunchRequest): Promise<Launcher> =>
  new Promise((resolve, reject) => {
    const { stdout, stderr } = output ?? { stdout: 'ignore' as const, stderr: 'ignore' as const };
    const told = [String(descriptors.length), ...softFilesArgument(softFiles)];
    const isCopied = orders.some(({ steps }) => steps.some(makesPidNamespace));
    const options = [...NODE_OPTIONS, ...(isCopied ? FOR_COPIES : [])];
    const child = spawn(process.execPath, [...options, launcher, ...told], {
      cwd: '/',
      env: environment,
      detached: true,
      stdio: [input ?? 'ignore', stdout, stderr, ...descriptors, 'pipe'],
    });
    // Never removed: an `error` event without a listener would end the supervisor.
    child.on('error', (error) => reject(new NotLaunched(error.message)));
    if (child.pid !== undefined) resolve(launcherOf(child, child.pid, descriptors.length));
  });
