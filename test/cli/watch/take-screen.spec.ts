import { describe, expect, it } from 'vitest';
import { takeScreen } from '../../../src/cli/watch/take-screen.ts';

const stage = () => {
  const texts: string[] = [];
  const screen = takeScreen({
    stdout: { terminal: true, columns: () => 80, rows: () => 24, write: (text) => texts.push(text) },
  });
  return { screen, taken: () => texts.splice(0) };
};

const ENTERED = '\u001b[?1049h\u001b[?25l\u001b[?7l';
const LEFT = '\u001b[?7h\u001b[?25h\u001b[?1049l';
const SIZE = {};
const row = (number: number, text: string): string => `\u001b[${number};1H\u001b[K${text}`;

describe('the alternate screen', () => {
  it('the alternate screen is entered, and only changed lines are written, in one piece', () => {
    const { screen, taken } = stage();
    expect(taken()).toEqual([ENTERED]);
    screen.draw(['one', 'two', 'three'], SIZE);
    expect(taken()).toEqual([row(1, 'one') + row(2, 'two') + row(3, 'three')]);
    screen.draw(['one', '2', 'three'], SIZE);
    expect(taken()).toEqual([row(2, '2')]);
    screen.draw(['one', '2', 'three'], SIZE);
    expect(taken()).toEqual([]);
  });

  it('the alternate screen is drawn as a whole after a resize, and after it was left and entered again', () => {
    const { screen, taken } = stage();
    screen.draw(['one', 'two'], SIZE);
    taken();
    screen.draw(['one', 'two'], {});
    expect(taken()).toEqual([row(1, 'one') + row(2, 'two')]);
    screen.leave();
    screen.draw(['unseen'], SIZE);
    screen.enter();
    expect(taken()).toEqual([LEFT, ENTERED, row(1, 'one') + row(2, 'two')]);
  });

  it('the alternate screen is left once', () => {
    const { screen, taken } = stage();
    taken();
    screen.leave();
    screen.leave();
    expect(taken()).toEqual([LEFT]);
  });
});
