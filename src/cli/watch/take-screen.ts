// Takes over the whole terminal (alternate screen, cursor, wrapping) and gives it back.
import type { World } from '../process-ports.ts';

const ENTER = '\u001b[?1049h\u001b[?25l\u001b[?7l';
/**
 * Escape sequences that give the terminal back: they turn wrapping on, show the cursor, and restore the text
 * from before the live view.
 */
export const LEAVE = '\u001b[?7h\u001b[?25h\u001b[?1049l';

interface TakenScreen {
  /**
   * Draws one line for each row of the terminal. Only lines that have changed are written. If `size` is not
   * the same object as in the previous call, all lines are written, because a terminal may change its content
   * when its size changes.
   */
  readonly draw: (lines: readonly string[], size: object) => void;
  /** Restores the terminal. After that, `draw` draws nothing until `enter` is called. */
  readonly leave: () => void;
  readonly enter: () => void;
}

interface DrawnScreen {
  readonly lines: readonly string[];
  readonly size: object;
}

export const takeScreen = ({ stdout }: Pick<World, 'stdout'>): TakenScreen => {
  let isTaken = false;
  let shown: DrawnScreen | undefined;
  // After `leave`, other programs may have changed the terminal, so all lines are drawn again.
  const enter = (): void => {
    isTaken = true;
    stdout.write(ENTER);
    if (shown !== undefined) draw(shown.lines, {});
  };
  const draw: TakenScreen['draw'] = (lines, size) => {
    if (!isTaken) return;
    const before = shown?.size === size ? shown.lines : [];
    shown = { lines, size };
    // A row is erased before it is written. If it were erased after a full line, the last character would be
    // removed.
    const text = lines.map((line, row) =>
      line === before[row] ? '' : `\u001b[${row + 1};1H\u001b[K${line}`,
    );
    if (text.some(Boolean)) stdout.write(text.join(''));
  };
  enter();
  return {
    draw,
    enter,
    leave: () => {
      if (isTaken) stdout.write(LEAVE);
      isTaken = false;
    },
  };
};
