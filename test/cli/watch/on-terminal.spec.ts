import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { onTerminal } from '../../../src/cli/watch/on-terminal.ts';
import type { Session } from '../../../src/cli/watch/viewer.ts';
import { projectOf, serviceOf } from '../support/documents.ts';
import { contextIn, fakeWorld } from '../support/fake-world.ts';

const LEFT = '\u001b[?7h\u001b[?25h\u001b[?1049l';
const session = (quit: () => void): Session => ({
  quit,
  carryOut: () => Promise.resolve(),
  samples: () => Promise.reject(new Error('none')),
  explain: () => Promise.reject(new Error('none')),
  isWhole: true,
  unfolded: false,
});
const full = { full: true, projects: [projectOf([serviceOf()])], gone: [] };

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('the live view on a terminal', () => {
  it('the live view is drawn at most ten times a second', () => {
    const heard = fakeWorld({ terminal: { columns: 80, rows: 24 } });
    const quit = vi.fn();
    const viewer = onTerminal(contextIn(heard), session(quit));
    for (let told = 0; told < 500; told += 1) viewer.see(full);
    vi.advanceTimersByTime(500);
    expect(heard.out().split('\u001b[H')).toHaveLength(2);
    viewer.end();
    expect(heard.out().endsWith(LEFT)).toBe(true);
    vi.advanceTimersByTime(5_000);
    expect(heard.out().endsWith(LEFT)).toBe(true);
    expect(quit).not.toHaveBeenCalled();
  });

  it('the live view ends with the error if a page cannot be drawn', () => {
    const heard = fakeWorld({ terminal: { columns: 80, rows: 24 } });
    const context = contextIn(heard);
    const broken = new Error('no such terminal');
    const stdout = { ...context.world.stdout };
    const quit = vi.fn();
    const viewer = onTerminal({ ...context, world: { ...context.world, stdout } }, session(quit));
    stdout.write = () => {
      throw broken;
    };
    viewer.see(full);
    vi.advanceTimersByTime(200);
    expect(quit).toHaveBeenCalledExactlyOnceWith(broken);
  });
});
