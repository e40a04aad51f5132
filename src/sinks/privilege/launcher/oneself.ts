// What a launcher does with itself, however it came to be: by a start of its own, or as a copy of a template.
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

/** Whom the sockets are for is known here: the pid stays. */
const listening = (libc: Libc, { argv, environment }: LaunchedProgram, handed: number): LaunchedProgram => ({
  argv,
  environment: handed === 0 ? environment : { ...environment, LISTEN_PID: String(ownPid(libc)) },
});

/** Returns only when the program could not be run; the supervisor has been told why. */
export const launchOneself = (libc: Libc, { channel, handed, softFiles, marks }: Calling): void => {
  const files = softFilesOf(softFiles);
  /** The program is looked for where the service will look for programs. */
  const become = (program: LaunchedProgram): never => {
    const { PATH: path } = program.environment;
    files.restore(libc);
    readyForExec(libc, handed);
    return execute(libc, { ...listening(libc, program, handed), path });
  };
  bearBirthmark(libc, marks);
  // If it is refused, the supervisor's log has the warning: the same machine refuses it there.
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
    // The way out of Node waits for threads that a copy does not have; it still knows the pid of the original.
    if (ownPid(libc) !== process.pid) leave(libc, NOT_LAUNCHED);
  }
};
