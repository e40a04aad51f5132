// Starts a launcher: as a new Node process, or as a fork of a template (`launcher/launcher-template.ts`) that
// was started in advance. A template belongs to no service: it has no run tag, is not recorded, and ends when
// its socket is closed.
import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync } from 'node:fs';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Children } from '../../os/children/child-reaper.ts';
import { handOver, socketPair } from '../../os/sockets/descriptor-passing.ts';
import type { Libc } from '../../os/libc/libc.ts';
import type { Launcher, LaunchRequest, StartLauncher } from './launch-process.ts';
import { FOR_COPIES } from './launcher/enter-namespace.ts';
import { channelAfter, launchMessage, pidIn, ROOM, softFilesArgument } from './launcher/launcher-protocol.ts';
import { TEMPLATE_ARGUMENTS } from './launcher/launcher-template.ts';
import { NotLaunched } from './launch-reports.ts';
import { exitOfChild } from '../process/start-by-node.ts';
import { messageOf as whyOf } from '../../streams/domain/errors/thrown.ts';
import { makesPidNamespace } from '../../streams/launch/launch-step.ts';

/**
 * The Node options of a launcher. A launcher lives only a moment, so it needs no helper threads to compile
 * code and collect garbage.
 */
const NODE_OPTIONS: readonly string[] = ['--v8-pool-size=0', '--max-semi-space-size=2'];

/** Returns the launcher. Call it in the tick of the spawn, so that its exit is not missed. */
const launcherOf = (child: ChildProcess, pid: number, handed: number): Launcher => ({
  pid,
  exit: exitOfChild(child),
  // Node's types declare only five descriptors.
  channel: (child.stdio as readonly unknown[])[channelAfter(handed)] as Duplex,
});

/** Starts a launcher as a new process. Rejects with `NotLaunched`. */
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
    // This listener is never removed: without a listener, an `error` event would end the supervisor.
    child.on('error', (error) => reject(new NotLaunched(error.message)));
    if (child.pid !== undefined) resolve(launcherOf(child, child.pid, descriptors.length));
  });

/** The ports that are needed to await children that the template forked for the supervisor. */
export interface Kin {
  readonly libc: Libc;
  readonly children: Pick<Children, 'endOf'>;
}

export interface Template {
  /** Makes the template fork a launcher. Rejects with `NotLaunched` if the template forks none. */
  readonly begin: StartLauncher;
  /** Closes the socket to the template. The template ends after it has forked all requested launchers. */
  readonly closeSocket: () => void;
  readonly kill: () => void;
}

/** How long to wait for the answer of the template, ms. Then the launch fails. */
const PATIENCE_MS = 10_000;

/**
 * The Node options of a template. Its forks have only one thread, so functions are compiled when they are
 * loaded, not at their first call.
 */
const OPTIONS: readonly string[] = [...NODE_OPTIONS, ...FOR_COPIES, '--no-lazy'];

/** Resolves with the pid in the first line of the forked launcher. Rejects with `NotLaunched`. */
const birthOver = (channel: Socket): Promise<number> =>
  new Promise((resolve, reject) => {
    const over = (): void => {
      clearTimeout(patience);
      channel.off('readable', look).off('end', gone).off('close', gone);
    };
    const fail = (why: string) => (): void => {
      over();
      channel.destroy();
      reject(new NotLaunched(`the template of launchers ${why}`));
    };
    const gone = fail('is gone');
    const look = (): void => {
      const line = channel.read() as Buffer | null;
      if (line === null) return;
      over();
      resolve(pidIn(line).pid);
    };
    const patience = setTimeout(fail('is silent'), PATIENCE_MS);
    // The listener for `error` is never removed: without a listener, an `error` event would end the
    // supervisor.
    channel.on('error', gone).on('close', gone).on('end', gone).on('readable', look);
  });

const started = ({ libc }: Kin, launcher: string): { child: ChildProcess; socket: number } => {
  const [socket, theirs] = socketPair(libc, 'messages');
  try {
    const child = spawn(process.execPath, [...OPTIONS, launcher, ...TEMPLATE_ARGUMENTS], {
      cwd: '/',
      env: ROOM,
      detached: true,
      stdio: ['ignore', 'ignore', 'ignore', theirs],
    });
    child.on('error', () => undefined).unref();
    return { child, socket };
  } finally {
    closeSync(theirs);
  }
};

/**
 * Sends the request to the template. Returns the supervisor's end of a new channel; only the fork keeps the
 * other end.
 */
const handedOver = (libc: Libc, socket: number, request: LaunchRequest): Socket => {
  const { output, descriptors, softFiles, environment: marks } = request;
  if (output === undefined) throw new Error('a launch without output');
  const [ours, theirs] = socketPair(libc, 'stream');
  try {
    const handed = [output.stdout, output.stderr, ...descriptors, theirs];
    handOver(libc, socket, { message: launchMessage({ softFiles, marks }), descriptors: handed });
    return new Socket({ fd: ours });
  } catch (error) {
    closeSync(ours);
    throw error;
  } finally {
    closeSync(theirs);
  }
};

/**
 * Starts a template, which is a waiting launcher from which further launchers are forked. Throws if it cannot
 * be started.
 */
export const startTemplate = (kin: Kin, launcher: string): Template => {
  const { child, socket } = started(kin, launcher);
  let isOpen = true;
  const closeSocket = (): void => {
    if (isOpen) closeSync(socket);
    isOpen = false;
  };
  const channelFor = (request: LaunchRequest): Socket => {
    if (!isOpen) throw new NotLaunched('the template of launchers was let go');
    try {
      return handedOver(kin.libc, socket, request);
    } catch (error) {
      throw new NotLaunched(`the template of launchers cannot be asked (${whyOf(error)})`);
    }
  };
  const begin = async (request: LaunchRequest): Promise<Launcher> => {
    const channel = channelFor(request);
    const pid = await birthOver(channel);
    return { pid, exit: kin.children.endOf(pid), channel };
  };
  return {
    begin,
    closeSocket,
    kill: () => {
      closeSocket();
      child.kill('SIGKILL');
    },
  };
};
