import { describe, expect, it } from 'vitest';
import { takeScreen } from '../../../src/cli/watch/take-screen.ts';

const stage = () => {
  let text = '';
  const listening = new Set<string>();
  const listeners = new Map<string, (text: string) => void>();
  const listen =
    (what: string) =>
    (listener: (text: string) => void): (() => void) => {
      listening.add(what);
      listeners.set(what, listener);
      return () => listening.delete(what);
    };
  const heard: string[] = [];
  const screen = takeScreen(
    {
      stdout: { terminal: true, columns: () => 80, rows: () => 24, write: (more) => (text += more) },
      keyboard: {
        isThere: true,
        onTyped: listen('typed'),
        onResize: listen('resize'),
        onExit: listen('exit'),
      },
    },
    { typed: (typed) => heard.push(typed), resized: () => heard.push('resized') },
  );
  return {
    screen,
    listening,
    heard,
    written: () => text,
    tell: (what: string) => listeners.get(what)?.('x'),
  };
};

const LEFT = '\u001b[?7h\u001b[?25h\u001b[?1049l';

describe('the alternate screen', () => {
  it('the alternate screen is redrawn in place, and left once without listeners', () => {
    const { screen, listening, written } = stage();
    screen.draw(['one', 'two']);
    expect(written()).toBe('\u001b[?1049h\u001b[?25l\u001b[?7l\u001b[H\u001b[Kone\r\n\u001b[Ktwo');
    expect([...listening].sort()).toEqual(['exit', 'resize', 'typed']);
    screen.leave();
    screen.leave();
    screen.draw(['late']);
    expect(written().split(LEFT)).toHaveLength(2);
    expect(written()).not.toContain('late');
    expect(listening.size).toBe(0);
  });

  it('the alternate screen is left when the program exits suddenly', () => {
    const { tell, written, listening } = stage();
    tell('exit');
    expect(written().endsWith(LEFT)).toBe(true);
    expect(listening.size).toBe(0);
  });

  it('the alternate screen passes on keys and new sizes', () => {
    const { tell, heard } = stage();
    tell('typed');
    tell('resize');
    expect(heard).toEqual(['x', 'resized']);
  });
});
