// Takes over the whole terminal (alternate screen, cursor, wrapping) and gives it back.
import type { World } from '../process-ports.ts';

const ENTER = '\u001b[?1049h\u001b[?25l\u001b[?7l';
/** Gives the terminal back. */
export const LEAVE = '\u001b[?7h\u001b[?25h\u001b[?1049l';

interface TakenScreen {
  /**
   * Draws one line for each row of the terminal. Only lines that differ from those before are written; all if
   * `size` is another object, because the terminal may show something else then.
   */
  readonly draw: (lines: readonly string[], size: object) => void;
  /** Restores the terminal. Nothing is drawn until `enter`. */
  readonly leave: () => void;
  readonly enter: () => void;
}

interface Shown {
  readonly lines: readonly string[];
  readonly size: object;
}

export const takeScreen = ({ stdout }: Pick<World, 'stdout'>): TakenScreen => {
  let isTaken = false;
  let shown: Shown | undefined;
  // The terminal may show anything after it was left, so that all is drawn again.
  const enter = (): void => {
    isTaken = true;
    stdout.write(ENTER);
    if (shown !== undefined) draw(shown.lines, {});
  };
  const draw: TakenScreen['draw'] = (lines, size) => {
    if (!isTaken) return;
    const before = shown?.size === size ? shown.lines : [];
    shown = { lines, size };
    // Erased before it is written: erasing after a full line would remove its last character.
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
