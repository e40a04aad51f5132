import { describe, expect, it } from 'vitest';
import { portInUse, saysInUse } from '../../../src/streams/output/address-in-use.ts';

describe('an address in use', () => {
  it.each<[string, readonly string[], number | undefined]>([
    ['Node', ['Error: listen EADDRINUSE: address already in use :::8080'], 8080],
    ['Node with an address', ['listen EADDRINUSE: address already in use 127.0.0.1:3000'], 3000],
    ['nginx', ['nginx: [emerg] bind() to 0.0.0.0:80 failed (98: Address already in use)'], 80],
    ['nginx over IPv6', ['nginx: [emerg] bind() to [::]:443 failed (98: Address already in use)'], 443],
    ['Redis', ['Could not create server TCP listening socket *:6379: bind: Address already in use'], 6379],
    ['Go', ['2026/11/21 12:30:45 listen tcp :8081: bind: address already in use'], 8081],
    ['Spring', ['Web server failed to start. Port 8080 was already in use.'], 8080],
    ['Puma', ['Address already in use - bind(2) for "0.0.0.0" port 3000 (Errno::EADDRINUSE)'], 3000],
    [
      'uvicorn',
      ["[Errno 98] error while attempting to bind on address ('127.0.0.1', 8000): address already in use"],
      8000,
    ],
    [
      'PostgreSQL, which names the port a line later',
      [
        'LOG:  could not bind IPv4 address "127.0.0.1": Address already in use',
        'HINT:  Is another postmaster already running on port 5432?',
      ],
      5432,
    ],
    ['Rust', ['Os { code: 98, kind: AddrInUse, message: "Address in use" }'], undefined],
    ['Python', ['OSError: [Errno 98] Address already in use'], undefined],
  ])('an address in use is recognized from %s', (_, evidence, port) => {
    expect(saysInUse(evidence)).toBe(true);
    expect(portInUse(evidence)).toBe(port);
  });

  it.each<[readonly string[]]>([
    [['listening on 0.0.0.0:80']],
    [['the address is in use by many', 'port 80 is open']],
    [[]],
  ])('an address in use is not recognized in %j', (evidence) => {
    expect(saysInUse(evidence)).toBe(false);
    expect(portInUse(evidence)).toBeUndefined();
  });
});
