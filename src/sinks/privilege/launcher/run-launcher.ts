// Runs a launch, in a process of its own or in a fork of a template: performs all steps, then executes the
// program. If the kernel refuses a step, the launch fails, unless the plan allows to skip the step.
import { takeRlimitTag } from '../../../os/children/rlimit-tag.ts';
import { errnoOf } from '../../../os/errno.ts';
import { joinSessionKeyring } from '../../../os/libc/credentials.ts';
import { execute } from '../../../os/libc/execute.ts';
import { leave, ownPid } from '../../../os/libc/fork.ts';
import type { Libc } from '../../../os/libc/libc.ts';
import { StepRefused } from './confine.ts';
import { goInside, readyForExec } from './enter-namespace.ts';
import { type LauncherChannel, softFilesOf } from './launcher-protocol.ts';
import { type Losses, perform } from './perform.ts';
import { messageOf } from '../../../streams/domain/errors/thrown.ts';
import {
  type LaunchedProgram,
  type LaunchOrder,
  makesPidNamespace,
  type PlannedStep,
} from '../../../streams/launch/launch-step.ts';

interface LauncherPorts {
  readonly channel: LauncherChannel;
  /** Performs a step. Throws if the kernel refuses it. */
  readonly perform: (step: PlannedStep) => Losses;
  /** Executes the program. Throws if that fails, never returns. */
  readonly become: (program: LaunchedProgram) => never;
}

/** Reports that a step was refused. After that the program is not run. */
const failed = ({ channel }: LauncherPorts, step: PlannedStep, error: unknown): 'failed' => {
  const key = error instanceof StepRefused ? error.key : step.key;
  channel.report({ tag: 'refused', step: step.tag, key, detail: messageOf(error) });
  return 'failed';
};

const mayBePassedOver = ({ mayRefuse }: PlannedStep, error: unknown): boolean =>
  mayRefuse.includes(errnoOf(error) ?? '');

const carryOut = (ports: LauncherPorts, step: PlannedStep): 'done' | 'failed' => {
  try {
    for (const loss of ports.perform(step)) ports.channel.report({ tag: 'skipped', ...loss });
    return 'done';
  } catch (error) {
    if (!mayBePassedOver(step, error)) return failed(ports, step, error);
    ports.channel.report({ tag: 'skipped', key: step.key, detail: messageOf(error) });
    return 'done';
  }
};

const becomes = ({ channel, become }: LauncherPorts, program: LaunchedProgram): void => {
  channel.report({ tag: 'going' });
  try {
    become(program);
  } catch (error) {
    channel.report({ tag: 'no-program', code: errnoOf(error) ?? messageOf(error) });
  }
};

/** Performs orders until the program is executed. Returns only on failure, which it has reported. */
export const launch = (ports: LauncherPorts): void => {
  for (;;) {
    const { steps, program }: LaunchOrder = ports.channel.receive();
    for (const step of steps) if (carryOut(ports, step) === 'failed') return;
    // An order without a program ends with a step that executes a second launcher. If that step was skipped,
    // this launcher requests the next order itself.
    if (program !== undefined) {
      becomes(ports, program);
      return;
    }
    ports.channel.report({ tag: 'next', inside: false });
  }
};

const NOT_LAUNCHED = 127;

interface Calling {
  readonly channel: LauncherChannel;
  /** The number of descriptors after standard error that the program gets. */
  readonly handed: number;
  readonly softFiles: number | undefined;
  readonly marks: Readonly<Record<string, string | undefined>>;
}

/** Returns the program with `LISTEN_PID` if it gets sockets. The exec keeps this pid. */
const listening = (libc: Libc, { argv, environment }: LaunchedProgram, handed: number): LaunchedProgram => ({
  argv,
  environment: handed === 0 ? environment : { ...environment, LISTEN_PID: String(ownPid(libc)) },
});

/** Performs the orders in this process. Returns only on failure, which it has reported. */
export const launchOneself = (libc: Libc, { channel, handed, softFiles, marks }: Calling): void => {
  const files = softFilesOf(softFiles);
  /** Looks the program up in the PATH of the service and executes it. */
  const become = (program: LaunchedProgram): never => {
    const { PATH: path } = program.environment;
    files.restore(libc);
    readyForExec(libc, handed);
    return execute(libc, { ...listening(libc, program, handed), path });
  };
  takeRlimitTag(libc, marks);
  // A refusal is ignored: the supervisor got the same refusal when it started, and has logged it.
  joinSessionKeyring(libc);
  const performed = (step: PlannedStep): Losses => {
    files.before(libc, step);
    const losses = perform(libc, step);
    if (!makesPidNamespace(step)) return losses;
    channel.report({ tag: 'moved', pid: goInside(libc) });
    return losses;
  };
  try {
    launch({ channel, perform: performed, become });
  } finally {
    // In a fork, `process.exit` would wait for threads that exist only in the parent. A fork is
    // recognised by `process.pid`, which is still the pid of the parent.
    if (ownPid(libc) !== process.pid) leave(libc, NOT_LAUNCHED);
  }
};
