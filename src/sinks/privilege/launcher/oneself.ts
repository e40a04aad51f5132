// What a launcher does, whether it is a process of its own or a copy of a template.
import { bearBirthmark } from '../../../os/children/birthmark.ts';
import type { Libc } from '../../../os/libc.ts';
import { joinSessionKeyring } from '../../../os/libc/confinement/keyring.ts';
import { execute } from '../../../os/libc/exec.ts';
import { leave, ownPid } from '../../../os/libc/fork.ts';
import type { LaunchedProgram } from '../../../streams/launch/order.ts';
import type { Channel } from './channel.ts';
import { launch } from './launch.ts';
import { makesPidNamespace, type PlannedStep } from '../../../streams/launch/step.ts';
import { perform, type Losses } from './perform.ts';
import { goInside } from './pid-namespace.ts';
import { readyForExec } from './ready-for-exec.ts';
import { softFilesOf } from './soft-files.ts';

const NOT_LAUNCHED = 127;

interface Calling {
  readonly channel: Channel;
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
