import { describe, expect, it } from 'vitest';
import { listenPlace } from '../../../src/sinks/metrics/metrics-listener.ts';

describe('an address to listen at', () => {
  it.each([
    ['9464', '127.0.0.1'],
    [':9464', '127.0.0.1'],
    ['localhost:9464', '127.0.0.1'],
    ['0.0.0.0:9464', '0.0.0.0'],
    ['[::1]:9464', '::1'],
    ['[::]:9464', '::'],
  ])('%s is the listen address %s', (written, host) =>
    expect(listenPlace(written)).toEqual({ host, port: 9_464 }),
  );

  it.each([
    '',
    'x',
    '0',
    '65536',
    '99999',
    '127.0.0.1',
    '127.0.0.1:',
    'example.org:80',
    '::1:80',
    '[127.0.0.1]:80',
    '1.2.3:80',
    '-1',
    '80 ',
  ])('"%s" is no listen address', (written) => expect(listenPlace(written)).toBeUndefined());
});
