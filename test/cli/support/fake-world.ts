// A world whose screens are strings, for commands that are tested without a process of their own.
import { resolve } from 'node:path';
import { Readable } from 'node:stream';
import type { Screen, World } from '../../../src/cli/process-ports.ts';
import { contextOf, type Context } from '../../../src/cli/context.ts';
import type { Flag } from '../../../src/cli/grammar/option-table.ts';

export interface Heard {
  readonly world: World;
  readonly out: () => string;
  readonly err: () => string;
  /** As if the user pressed Ctrl-C. */
  readonly interrupt: () => void;
}

interface Setting {
  readonly environment?: Readonly<Record<string, string>>;
  readonly directory?: string;
  readonly uid?: number;
  readonly terminal?: { readonly columns: number; readonly rows: number };
}

const screen = (terminal: Setting['terminal']): { screen: Screen; text: () => string } => {
  let text = '';
  return {
    text: () => text,
    screen: {
      terminal: terminal !== undefined,
      columns: () => terminal?.columns,
      rows: () => terminal?.rows,
      write: (more) => {
        text += more;
      },
    },
  };
};

export const fakeWorld = (setting: Setting = {}): Heard => {
  const [out, err] = [screen(setting.terminal), screen(setting.terminal)];
  const listeners = new Set<() => void>();
  return {
    out: out.text,
    err: err.text,
    interrupt: () => listeners.forEach((listener) => listener()),
    world: {
      stdout: out.screen,
      stderr: err.screen,
      environment: setting.environment ?? {},
      directory: setting.directory ?? '/',
      uid: setting.uid ?? 1000,
      version: '9.9.9',
      codeCache: 'used',
      supervisor: '/nowhere/supervisor.js',
      guardian: resolve('src/cli/client/sup-guardian.sh'),
      onInterrupt: (listener) => {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
      input: () => Readable.from([]),
      keyboard: {
        isThere: false,
        onTyped: () => () => undefined,
        onResize: () => () => undefined,
        onExit: () => () => undefined,
        suspension: () => ({ suspend: () => undefined, remove: () => undefined }),
      },
      leave: (status) => {
        throw new Error(`left with ${status}`);
      },
      readerGone: new AbortController().signal,
      written: () => Promise.resolve(),
    },
  };
};

export const contextIn = (heard: Heard, ...flags: Flag[]): Context => contextOf(new Set(flags), heard.world);
