// Carries out a command on one of several machines. The caller receives each line of the output and of the
// error, and merges them with the lines of the other machines.
import { type HostCommand, onOneHost } from './one-host.ts';
import type { HostPlace } from '../../client/host/ssh-line.ts';
import type { CommandStatus } from '../../streams/wire/command-exit-status.ts';
import type { Screen } from '../process-ports.ts';

/** A line that another machine has printed. */
export interface HostText {
  readonly host: string;
  readonly line: string;
}

/** The text between the name of a host and its line. */
export const GAP = '  ';

/** Returns a screen that calls `take` with each complete line, and at `end` with an incomplete last line. */
export const byLine = (
  of: Screen,
  width: number,
  take: (line: string) => void,
): { readonly screen: Screen; readonly end: () => void } => {
  let rest = '';
  const columns = of.columns();
  return {
    screen: {
      terminal: of.terminal,
      columns: () => columns && Math.max(1, columns - width - GAP.length),
      rows: of.rows,
      write: (text) => {
        const lines = (rest + text).split('\n');
        rest = lines.pop() ?? '';
        lines.forEach(take);
      },
    },
    end: () => {
      if (rest !== '') take(rest);
      rest = '';
    },
  };
};

export interface Printing {
  readonly width: number;
  readonly out: (line: HostText) => void;
  readonly err: (line: HostText) => void;
}

/**
 * Carries out the command on one of several machines. Resolves to its exit status. Never rejects: a failure
 * is reported as lines.
 */
export const onOneOf = async (
  command: HostCommand,
  place: HostPlace,
  { width, out, err }: Printing,
): Promise<CommandStatus> => {
  const { world, report } = command;
  const { host } = place;
  const stdout = byLine(world.stdout, width, (line) => out({ host, line }));
  const stderr = byLine(world.stderr, width, (line) => err({ host, line }));
  const keyboard = { ...world.keyboard, isThere: false };
  try {
    return await onOneHost(
      { ...command, world: { ...world, keyboard, stdout: stdout.screen, stderr: stderr.screen } },
      place,
    );
  } catch (thrown) {
    return report(thrown, stderr.screen);
  } finally {
    stdout.end();
    stderr.end();
  }
};
