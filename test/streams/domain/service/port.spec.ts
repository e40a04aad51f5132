import { describe, expect, it } from 'vitest';
import { urlPort } from '../../../../src/streams/domain/service/port.ts';

describe('the port of a health check by URL', () => {
  it.each([
    ['http://localhost:8080/up', 8080, true],
    ['http://127.0.0.1:8080', 8080, true],
    ['http://127.8.0.1/up', 80, true],
    ['https://[::1]/', 443, true],
    ['HTTP://LocalHost?x=1', 80, true],
    ['http://0.0.0.0:1/', 1, true],
    ['http://user:secret@127.0.0.1:81/', 81, true],
    ['http://10.0.0.1:8080/', 8080, false],
    ['http://localhost.example.org/', 80, false],
    ['http://[2001:db8::1]:8443/', 8443, false],
    ['https://example.org/?at=127.0.0.1:9', 443, false],
  ])('the port of %s is %i, on a loopback address: %s', (url, port, isLoopback) => {
    expect(urlPort(url)).toEqual({ port, isLoopback });
  });

  it('a text that is no URL has no port', () => {
    expect(urlPort('unix:/run/web.sock')).toBeUndefined();
  });
});
