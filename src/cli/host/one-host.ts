// Carries out a command on another machine: `sup` on that machine runs it, and this process shows its output
// (D-166).
import { existsSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import type { CommandName } from '../grammar/command-table.ts';
import { commandFacts } from '../grammar/command-table.ts';
import type { Parsed } from '../grammar/parsed-line.ts';
import { STANDARD_INPUT } from '../grammar/standard-input.ts';
import { usageError } from '../grammar/usage-error.ts';
import { LEAVE } from '../watch/take-screen.ts';
import type { Screen, World } from '../process-ports.ts';
import type { HostPlace } from '../../client/host/ssh-line.ts';
import { type RemoteRun, runOn } from '../../client/host/remote-run.ts';
import { colouredOutput, drawnOutput, shownOutput } from '../../streams/views/words/foreign-text.ts';
import type { DialFrame, RunRequest } from '../../client/host/dial-frames.ts';
import { EXIT, type CommandStatus } from '../../streams/wire/command-exit-status.ts';

/** A command on other machines. */
export interface HostCommand {
  readonly line: readonly string[];
  readonly parsed: Parsed;
  readonly world: World;
  /** Standard input of the command; absent if the command reads none. */
  readonly input?: Uint8Array | undefined;
  /** Prints the error and returns the exit status. */
  readonly report: (thrown: unknown, screen: Screen) => CommandStatus;
}

/** Returns the line without `--host`, as the other machine runs it. */
const lineThere = (line: readonly string[]): readonly string[] => {
  const end = line.includes('--') ? line.indexOf('--') : line.length;
  const isGone = (word: string, at: number): boolean =>
    at < end && (word === '--host' || word.startsWith('--host=') || line[at - 1] === '--host');
  return line.filter((word, at) => !isGone(word, at));
};

/**
 * Commands that change nothing. If the connection is lost during such a command, the error does not say that
 * its outcome is unknown.
 */
const ASKING: ReadonlySet<CommandName> = new Set([
  ...(['plan', 'status', 'inspect', 'why', 'wait', 'logs', 'events', 'metrics'] as const),
  ...(['validate', 'config', 'doctor', 'version'] as const),
]);

/** Returns the paths in the command line that name an existing file of this machine. */
const pathsHere = ({ command, values, operands }: Parsed, { directory }: World): readonly string[] => {
  const named = commandFacts(command).operand?.name === 'manifest' && command !== 'forget' ? operands : [];
  return [...(values.config ?? []), ...named].filter(
    (path) => path !== STANDARD_INPUT && existsSync(resolve(directory, path)),
  );
};

const seen = ({ terminal, columns, rows }: World['stdout']): RunRequest['stdout'] => ({
  terminal,
  columns: columns(),
  rows: rows(),
});

const LOOKS = ['TERM', 'NO_COLOR'];

const requestOf = ({ line, parsed, world }: HostCommand): Omit<RunRequest, 'ask'> => ({
  line: lineThere(line),
  stdout: seen(world.stdout),
  stderr: seen(world.stderr),
  keyboard: world.keyboard.isThere,
  environment: Object.fromEntries(LOOKS.map((name) => [name, world.environment[name] ?? ''])),
  manifests: pathsHere(parsed, world),
});

/** Returns the text of the other machine, without escape sequences that could do harm here. */
const cleaned = (text: string, isTerminal: boolean): string =>
  text
    .split('\n')
    .map(isTerminal ? colouredOutput : shownOutput)
    .join('\n');

const onlyHere = (path: string, { host, destination }: HostPlace): Error =>
  usageError(
    `"${path}" is a file of this machine, and with --host paths mean those of ${host}`,
    `scp ${path} ${destination}:${basename(path)}`,
  );

/**
 * Passes Ctrl-C to the other machine; a second Ctrl-C ends this process. Also interrupts the command if the
 * output's reader is gone. Returns a function that removes the listener for Ctrl-C.
 */
const passInterrupts = (run: RemoteRun, { onInterrupt, leave, readerGone }: World): (() => void) => {
  let pressed = 0;
  const interrupt = (): void => run.send({ tag: 'interrupt' });
  readerGone.addEventListener('abort', interrupt, { once: true });
  return onInterrupt(() => {
    pressed += 1;
    if (pressed > 1) leave(EXIT.interrupted);
    interrupt();
  });
};

interface HostDisplay {
  readonly run: RemoteRun;
  readonly world: World;
  /** True for the live view, which draws on the whole terminal. */
  readonly isDrawn: boolean;
  /** Stops passing keys on. Does nothing if no keys are passed on. */
  deafen: () => void;
}

/**
 * Passes keys and changes of the terminal size to the other machine. Returns a function that removes the
 * listeners.
 */
const passKeys = ({ run, world: { keyboard, stdout } }: HostDisplay): (() => void) => {
  const stops = [
    keyboard.onTyped((text) => run.send({ tag: 'typed', text })),
    keyboard.onResize(() => run.send({ tag: 'resized', columns: stdout.columns(), rows: stdout.rows() })),
  ];
  return () => stops.forEach((stop) => stop());
};

const show = async (frame: DialFrame, shown: HostDisplay): Promise<void> => {
  const { world, isDrawn } = shown;
  const { stdout, stderr } = world;
  if (frame.tag === 'err') stderr.write(cleaned(frame.text, stderr.terminal));
  if (frame.tag === 'keys') {
    shown.deafen();
    shown.deafen = frame.wanted ? passKeys(shown) : () => undefined;
  }
  if (frame.tag !== 'out') return;
  stdout.write(isDrawn ? drawnOutput(frame.text) : cleaned(frame.text, stdout.terminal));
  await world.written();
};

/** Shows the output of the command until it ends. Resolves to its exit status. */
const showAll = async (shown: HostDisplay, place: HostPlace): Promise<CommandStatus> => {
  let isOver = false;
  try {
    for await (const frame of shown.run.frames()) {
      isOver = frame.tag === 'exit';
      if (frame.tag === 'missing') throw onlyHere(frame.path, place);
      if (frame.tag === 'exit') return frame.status;
      await show(frame, shown);
    }
    return EXIT.failed;
  } finally {
    shown.deafen();
    if (shown.isDrawn && !isOver) shown.world.stdout.write(LEAVE);
  }
};

/** Carries out the command on one machine. Resolves to the exit status that the command has there. */
export const onOneHost = async (command: HostCommand, place: HostPlace): Promise<CommandStatus> => {
  const { parsed, world, input } = command;
  const run = await runOn(place, requestOf(command), {
    asks: world.keyboard.isThere,
    environment: world.environment,
    changes: ASKING.has(parsed.command) ? undefined : parsed.command,
    input,
  });
  const stop = passInterrupts(run, world);
  const isDrawn = parsed.flags.has('watch') && world.stdout.terminal && !parsed.flags.has('json');
  try {
    return await showAll({ run, world, isDrawn, deafen: () => undefined }, place);
  } finally {
    stop();
    run.close();
  }
};
