// The supervisor's side of a template (`launcher/template.ts`): one process that is started ahead and copied for each launch
// of a bulk. It is nobody's service: it has no mark, is on no record, and ends with its socket.
import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync } from 'node:fs';
import { Socket } from 'node:net';
import type { Children } from '../../os/children/children.ts';
import type { Libc } from '../../os/libc.ts';
import { handOver, socketPair } from '../../os/libc/handing.ts';
import { messageOf as whyOf } from '../../streams/domain/errors/thrown.ts';
import type { Launcher, LaunchRequest, StartLauncher } from './launched.ts';
import { ROOM } from './launcher/environment-room.ts';
import { FOR_COPIES } from './launcher/pid-namespace.ts';
import { bornIn, messageOf } from './launcher/telling.ts';
import { TEMPLATE_ARGUMENTS } from './launcher/template.ts';
import { NODE_OPTIONS } from './new-launcher.ts';
import { NotLaunched } from './reports.ts';

/** What it takes to have children that somebody else started for us. */
export interface Kin {
  readonly libc: Libc;
  readonly children: Pick<Children, 'endOf'>;
}

export interface Template {
  /** Rejects with `NotLaunched`: then nobody was started, and nobody will be. */
  readonly begin: StartLauncher;
  /** It ends when it has begun everybody that it was given. */
  readonly letGo: () => void;
  readonly kill: () => void;
}

/** A template that was asked and says nothing. */
const PATIENCE_MS = 10_000;

/** One thread for everything: a copy has no other. And all is compiled once, not in each copy. */
const OPTIONS: readonly string[] = [...NODE_OPTIONS, ...FOR_COPIES, '--no-lazy'];

/** The pid of the copy, which it says first and then waits. Rejects when there is none. */
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
      resolve(bornIn(line).pid);
    };
    const patience = setTimeout(fail('is silent'), PATIENCE_MS);
    // Kept for good, as all listeners of errors are.
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

/** The other end of its channel; the copy has it, or nobody. */
const handedOver = (libc: Libc, socket: number, request: LaunchRequest): Socket => {
  const { output, descriptors, softFiles, environment: marks } = request;
  if (output === undefined) throw new Error('a launch without output');
  const [ours, theirs] = socketPair(libc, 'stream');
  try {
    const handed = [output.stdout, output.stderr, ...descriptors, theirs];
    handOver(libc, socket, { message: messageOf({ softFiles, marks }), descriptors: handed });
    return new Socket({ fd: ours });
  } catch (error) {
    closeSync(ours);
    throw error;
  } finally {
    closeSync(theirs);
  }
};

/** Throws when it cannot be started. */
export const startTemplate = (kin: Kin, launcher: string): Template => {
  const { child, socket } = started(kin, launcher);
  let isOpen = true;
  const letGo = (): void => {
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
    letGo,
    kill: () => {
      letGo();
      child.kill('SIGKILL');
    },
  };
};
