// Runs a program through the launcher, in its own session. The program gets a pseudoterminal, and this
// process relays the bytes. The program never gets the user's terminal, because the program could read from
// this terminal or type into it (TIOCSTI).
import { closeSync, fchownSync, fstatSync } from 'node:fs';
import { isatty } from 'node:tty';
import { collectChildren, nodeChildren } from '../../../os/children/child-reaper.ts';
import { libcOf, openLibc, INSTALL_FFI, type Libc } from '../../../os/libc/libc.ts';
import {
  copyWindow,
  openPty,
  plainOutput,
  raw,
  setSettings,
  settingsOf,
  type Pty,
} from '../../../os/libc/pty.ts';
import { waitOf } from '../../../os/libc/process-ends.ts';
import { startByNode, type StartedChild, type ChildPlan } from '../../../sinks/process/start-by-node.ts';
import { startLaunched, type EndOf } from '../../../sinks/privilege/launch-process.ts';
import { newLauncher } from '../../../sinks/privilege/start-launcher.ts';
import type { Mode, Prepared } from '../../../sinks/privilege/prepare-launch.ts';
import { NotLaunched } from '../../../sinks/privilege/launch-reports.ts';
import { started } from '../../../sinks/process/start-or-launch.ts';
import type { ExitStatus } from '../../../streams/domain/service/exit-status.ts';
import type { LaunchStage } from '../../../streams/launch/launch-step.ts';
import { relay, type Keys, type Relay } from './terminal-relay.ts';

/** Descriptors of this process for the program's standard input, output and error. */
type Standard = readonly [input: number, output: number, error: number];

interface Apart {
  readonly plan: Pick<ChildPlan, 'argv' | 'directory' | 'environment'>;
  readonly prepared: Prepared;
  readonly mode: Mode;
  readonly standard: Standard;
  readonly until?: AbortSignal | undefined;
}

const INPUT = 0;

interface Stand extends Pty {
  readonly libc: Libc;
  /**
   * Descriptor of the user's terminal. The size and settings of this terminal are copied to the
   * pseudoterminal.
   */
  readonly ours: number;
  /** The settings of the user's terminal before the relay changed them. */
  readonly settings: Buffer;
}

/**
 * Opens the pseudoterminal, if a standard descriptor is a terminal. Throws `NotLaunched` if the C library
 * cannot be called.
 */
const standFor = ({ standard, prepared: { account } }: Apart): Stand | undefined => {
  const ours = standard.find((descriptor) => isatty(descriptor));
  if (ours === undefined) return undefined;
  const opened = openLibc();
  const libc = libcOf(opened);
  if (libc === undefined) throw new NotLaunched(`a terminal of its own needs ffi-napi: ${INSTALL_FFI}`);
  const pty = openPty(libc);
  const settings = settingsOf(libc, ours);
  // If standard input is the user's terminal, the relay puts this terminal into raw mode, and only the
  // pseudoterminal processes output. Otherwise the user's terminal processes output, so the pseudoterminal
  // must not.
  setSettings(libc, pty.terminal, ours === INPUT ? settings : plainOutput(settings));
  copyWindow(libc, ours, pty.terminal);
  if (account !== undefined) fchownSync(pty.terminal, account.uid, fstatSync(pty.terminal).gid);
  return { ...pty, libc, ours, settings };
};

/**
 * Returns the stages with an additional first step, which makes standard input the controlling terminal. A
 * shell needs a controlling terminal for job control.
 */
const withTerminal = (stages: readonly LaunchStage[]): readonly LaunchStage[] => {
  const [first = [], ...more] = stages;
  return [[{ tag: 'terminal', descriptor: INPUT, key: 'terminal', mayRefuse: [] }, ...first], ...more];
};

const AWAKE_MS = 60_000;

/**
 * Returns a function that waits for the end of a child that Node did not start. `endOfChild` must be called
 * before the first child starts.
 */
const endOfChild = (): EndOf => {
  const isNodes = nodeChildren();
  return async (pid) => {
    const libc = libcOf(openLibc());
    if (libc === undefined) return { tag: 'unknown' };
    // The timer keeps this process alive, because Node does not wait for a child that it did not start.
    const awake = setInterval(() => undefined, AWAKE_MS);
    const children = collectChildren({ wait: waitOf(libc), isNodes, signals: process });
    return children.endOf(pid).finally(() => clearInterval(awake));
  };
};

const launched = (
  { plan, prepared, mode, standard }: Apart,
  stand: Stand | undefined,
): Promise<StartedChild> => {
  const place = (descriptor: number): number =>
    stand !== undefined && isatty(descriptor) ? stand.terminal : descriptor;
  const [input, output, error] = standard;
  const stages = isatty(input) ? withTerminal(prepared.stages) : prepared.stages;
  const at = { input: place(input), output: { stdout: place(output), stderr: place(error) } };
  const endOf = endOfChild();
  const launchers = {
    whenFree: <T>(work: () => Promise<T>): Promise<T> => work(),
    again: <T>(work: () => Promise<T>): Promise<T> => work(),
    launch: (request: Parameters<typeof newLauncher>[0]) => startLaunched(request, newLauncher, endOf),
  };
  const ports = { mode, launchers, start: startByNode };
  return started(ports, { plan: { ...plan, ...at }, prepared: { ...prepared, stages } });
};

const SIGNALS = ['SIGINT', 'SIGQUIT', 'SIGTERM', 'SIGHUP'] as const;

interface OwnSession {
  /** Resolves when the command has started. */
  readonly child: Promise<{ readonly session: number; readonly exit: Promise<ExitStatus> }>;
  readonly until: AbortSignal | undefined;
}

/**
 * Forwards signals to the session's process group, those from before its start as soon as it has started.
 * Kills the group when `until` aborts.
 */
export const passingOn = async ({ child, until }: OwnSession): Promise<ExitStatus> => {
  const early: NodeJS.Signals[] = [];
  let session: number | undefined;
  const passOn = (signal: NodeJS.Signals): void => {
    if (session === undefined) {
      early.push(signal);
      return;
    }
    try {
      process.kill(-session, signal);
    } catch {
      // The process has just ended, so no signal is needed.
    }
  };
  const kill = (): void => passOn('SIGKILL');
  SIGNALS.forEach((signal) => process.on(signal, passOn));
  until?.addEventListener('abort', kill);
  try {
    const started = await child;
    session = started.session;
    early.forEach(passOn);
    return await started.exit;
  } finally {
    SIGNALS.forEach((signal) => process.off(signal, passOn));
    until?.removeEventListener('abort', kill);
  }
};

/** Returns the descriptor of the terminal that shows the program's output. */
const shownAt = ([input, output, error]: Standard): number =>
  [output, error].find((descriptor) => isatty(descriptor)) ?? input;

const keysOf = ({ libc, settings }: Stand): Keys => ({
  raw: () => setSettings(libc, INPUT, raw(settings)),
  restore: () => setSettings(libc, INPUT, settings),
});

const relayed = (stand: Stand, { standard }: Apart): Relay => {
  const { libc, master, ours } = stand;
  return relay({
    master,
    keys: ours === INPUT ? keysOf(stand) : undefined,
    shown: shownAt(standard),
    resize: () => copyWindow(libc, ours, master),
  });
};

/** Runs the program and resolves to its exit status. Rejects with `LaunchRefused` or `ProgramNotStarted`. */
export const runApart = async (apart: Apart): Promise<ExitStatus> => {
  const stand = standFor(apart);
  const ending = (): Promise<ExitStatus> => {
    const child = launched(apart, stand).then(({ process, exit }) => ({ session: process.pid, exit }));
    return passingOn({ child, until: apart.until });
  };
  if (stand === undefined) return ending();
  const between = relayed(stand, apart);
  try {
    return await ending();
  } finally {
    // This descriptor stays open until the program has ended. It keeps the pseudoterminal alive if the
    // program closes its own descriptors and opens the terminal again later.
    closeSync(stand.terminal);
    await between.over();
  }
};
