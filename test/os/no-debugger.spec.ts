import { describe, expect, it } from 'vitest';
import { refuseDebugger } from '../../src/os/early-signals.ts';

describe('a debugger that was opened early', () => {
  const refused = (url: string | undefined, own: { execArgv?: string[]; env?: object }): boolean => {
    try {
      refuseDebugger({ execArgv: [], env: {}, ...own } as NodeJS.Process, { url: () => url });
      return false;
    } catch {
      return true;
    }
  };

  it.each([
    ['ws://127.0.0.1:9229/x', {}, true],
    [undefined, {}, false],
    ['ws://127.0.0.1:9229/x', { execArgv: ['--inspect=0'] }, false],
    ['ws://127.0.0.1:9229/x', { env: { NODE_OPTIONS: '--inspect-brk' } }, false],
  ])('a debugger at %s of %j is closed: %s', (url, own, is) => {
    expect(refused(url, own)).toBe(is);
  });
});
