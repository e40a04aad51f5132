// Takes over the whole terminal (alternate screen, cursor, wrapping, keyboard) and restores it at the end.
import type { World } from '../world.ts';

const ENTER = '\u001b[?1049h\u001b[?25l\u001b[?7l';
const LEAVE = '\u001b[?7h\u001b[?25h\u001b[?1049l';

interface TakenScreen {
  /** Draws `lines` over the previous ones, one line for each row of the terminal. */
  readonly draw: (lines: readonly string[]) => void;
  /** Restores the terminal. Further calls do nothing. */
  readonly leave: () => void;
}

interface ScreenListeners {
  readonly typed: (text: string) => void;
  readonly resized: () => void;
}

export const takeScreen = (
  { stdout, keyboard }: Pick<World, 'stdout' | 'keyboard'>,
  { typed, resized }: ScreenListeners,
): TakenScreen => {
  let taken = true;
  const undo: (() => void)[] = [];
  const leave = (): void => {
    if (!taken) return;
    taken = false;
    for (const step of undo) step();
    stdout.write(LEAVE);
  };
  stdout.write(ENTER);
  undo.push(keyboard.onExit(leave), keyboard.onTyped(typed), keyboard.onResize(resized));
  return {
    draw: (lines) => {
      // Erased before it is written: erasing after a full line would remove its last character.
      if (taken) stdout.write(`\u001b[H${lines.map((line) => `\u001b[K${line}`).join('\r\n')}`);
    },
    leave,
  };
};
