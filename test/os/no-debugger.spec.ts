import { describe, expect, it } from 'vitest';
import { closeDebugger } from '../../src/os/no-debugger.ts';

describe('a debugger that was opened before anybody could refuse it', () => {
  const closed = (url: string | undefined, own: { execArgv?: string[]; env?: object }): boolean => {
    let is = false;
    const debugging = { url: () => url, close: () => void (is = true) };
    closeDebugger({ execArgv: [], env: {}, ...own } as NodeJS.Process, debugging);
    return is;
  };

  it.each([
    ['ws://127.0.0.1:9229/x', {}, true],
    [undefined, {}, false],
    ['ws://127.0.0.1:9229/x', { execArgv: ['--inspect=0'] }, false],
    ['ws://127.0.0.1:9229/x', { env: { NODE_OPTIONS: '--inspect-brk' } }, false],
  ])('at %s of %j is closed: %s', (url, own, is) => {
    expect(closed(url, own)).toBe(is);
  });
});
