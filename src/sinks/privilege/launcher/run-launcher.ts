// What a launcher does, whether it is a process of its own or a copy of a template: it carries out its
// orders, all steps in order, then the program. A refused step ends the launcher, unless the plan allows that
// refusal.
import { bearBirthmark } from '../../../os/children/birthmark.ts';
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
  /** Throws when the kernel refuses. */
  readonly perform: (step: PlannedStep) => Losses;
  /** Executes the program. Returns only by throwing. */
  readonly become: (program: LaunchedProgram) => never;
}

/** Reports the refused step: the program was not run. */
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

/** Returns only when the program could not be run; the reason was reported. */
export const launch = (ports: LauncherPorts): void => {
  for (;;) {
    const { steps, program }: LaunchOrder = ports.channel.receive();
    for (const step of steps) if (carryOut(ports, step) === 'failed') return;
    // No program: the stage should have ended in another launcher, but that step was skipped. This launcher
    // continues.
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
  /** How many descriptors after standard error the program gets. */
  readonly handed: number;
  readonly softFiles: number | undefined;
  /** The marks of the run. */
  readonly marks: Readonly<Record<string, string | undefined>>;
}

/** The program with `LISTEN_PID`, which is known here: the pid stays. */
const listening = (libc: Libc, { argv, environment }: LaunchedProgram, handed: number): LaunchedProgram => ({
  argv,
  environment: handed === 0 ? environment : { ...environment, LISTEN_PID: String(ownPid(libc)) },
});

/** Carries out the orders. Returns only when the program could not be run; the reason was reported. */
export const launchOneself = (libc: Libc, { channel, handed, softFiles, marks }: Calling): void => {
  const files = softFilesOf(softFiles);
  /** The program is looked up in the PATH of the service. */
  const become = (program: LaunchedProgram): never => {
    const { PATH: path } = program.environment;
    files.restore(libc);
    readyForExec(libc, handed);
    return execute(libc, { ...listening(libc, program, handed), path });
  };
  bearBirthmark(libc, marks);
  // If it is refused, the supervisor's log already has the warning: the same machine refuses it there.
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
    // Node's exit waits for threads that a copy does not have; `process.pid` still is the original's.
    if (ownPid(libc) !== process.pid) leave(libc, NOT_LAUNCHED);
  }
};
