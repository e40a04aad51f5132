import { describe, expect, it } from 'vitest';
import { killedBy } from '../../../src/os/libc/process-ends.ts';

describe('an exit by a signal', () => {
  it.each([
    [6, 'SIGABRT'],
    [9, 'SIGKILL'],
    [15, 'SIGTERM'],
    [29, 'SIGIO'],
    [34, 'SIG34'],
  ])('signal %i is %s', (number, signal) => {
    expect(killedBy(number)).toEqual({ tag: 'signal', signal });
  });
});
