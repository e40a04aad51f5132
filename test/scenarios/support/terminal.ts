// A command on a terminal of its own: `script` of util-linux, which is on every machine, makes the terminal; what it
// shows is kept as a screen. After the command the shell says how it ended and whether the terminal is as it was.
import { execFileSync, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventually, PATIENCE_MS } from './eventually.ts';
import { openScreen, type Screen } from './screen.ts';
import type { Stage } from './stage.ts';

export interface Terminal {
  readonly screen: Screen;
  readonly type: (keys: string) => void;
  readonly resize: (columns: number, rows: number) => void;
  /** The process of the command. */
  readonly pid: () => number;
  /** Waits until a shown line matches; settles with it. */
  readonly shows: (what: RegExp, limit?: number) => Promise<string>;
  /** Waits until so many lines are shown. */
  readonly fills: (rows: number) => Promise<void>;
  /** Once the command has ended: its exit status, and whether the terminal is as it was. */
  readonly ended: () => Promise<{ readonly status: number; readonly same: boolean }>;
  readonly close: () => void;
}

export interface Size {
  /** 0: a terminal that does not know. */
  readonly columns: number;
  readonly rows: number;
  /** Is told all that is written, escape codes and all. */
  readonly heard?: (text: string) => void;
}

let count = 0;

export const onTerminal = (stage: Stage, line: string, { columns, rows, heard }: Size): Terminal => {
  count += 1;
  const note = join(stage.root, `terminal-${count}`);
  const play = [
    `stty cols ${columns} rows ${rows}`,
    `tty > ${note}`,
    'before=$(stty -g)',
    `sh -c 'echo $$ >> ${note}; exec ${line.replaceAll("'", `'\\''`)}'`,
    'status=$?',
    'if [ "$(stty -g)" = "$before" ]; then same=yes; else same=no; fi',
    'echo "ended with $status, the same: $same"',
  ].join('\n');
  const shell = stage.write(`terminal-${count}.sh`, play);
  const child = spawn('script', ['-qfec', `sh ${shell}`, '/dev/null'], {
    cwd: stage.work,
    env: { PATH: process.env['PATH'] ?? '', HOME: stage.root, SUP_DATA_DIR: stage.data, TERM: 'xterm' },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const size = columns === 0 ? { columns: 80, rows: 24 } : { columns, rows };
  const screen = openScreen(size);
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    heard?.(text);
    screen.write(text);
  });
  const noted = (at: number): string => readFileSync(note, 'utf8').split('\n')[at] ?? '';
  const shows: Terminal['shows'] = (what, limit = PATIENCE_MS) =>
    eventually(
      {
        what: `${String(what)} on the terminal`,
        look: () => screen.lines().find((shown) => what.test(shown)),
        instead: () => screen.lines(),
      },
      limit,
    );
  const fills: Terminal['fills'] = async (rows) => {
    const look = (): true | undefined => (screen.lines().length === rows ? true : undefined);
    await eventually({ what: `${rows} lines on the terminal`, look, instead: () => screen.lines() });
  };
  return {
    screen,
    shows,
    fills,
    type: (keys) => child.stdin.write(keys),
    resize: (wide, high) => {
      Object.assign(size, { columns: wide, rows: high });
      execFileSync('stty', ['-F', noted(0), 'cols', String(wide), 'rows', String(high)]);
    },
    pid: () => Number(noted(1)),
    ended: async () => {
      const [, status, same] = /ended with (\d+), the same: (\w+)/.exec(await shows(/^ended with/)) ?? [];
      return { status: Number(status), same: same === 'yes' };
    },
    close: () => child.kill('SIGKILL'),
  };
};
