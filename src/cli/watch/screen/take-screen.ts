// Takes the whole terminal, and leaves it as it was, whatever ends the program: the alternate screen, the cursor, the
// line wrapping, the mode of the keyboard.
import type { World } from '../../world.ts';

const ENTER = '\u001b[?1049h\u001b[?25l\u001b[?7l';
const LEAVE = '\u001b[?7h\u001b[?25h\u001b[?1049l';

interface TakenScreen {
  /** Over what stood there before: as many lines as there are rows. */
  readonly draw: (lines: readonly string[]) => void;
  /** Once; more often does nothing. */
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
      // Erased before it is written: behind a line that is as wide as the terminal its last character would go, too.
      if (taken) stdout.write(`\u001b[H${lines.map((line) => `\u001b[K${line}`).join('\r\n')}`);
    },
    leave,
  };
};
