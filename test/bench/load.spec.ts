import { describe, expect, it } from 'vitest';
import { answersIn } from '../../bench/measure/load.ts';

const REPORT = `Running 60m test @ http://127.0.0.1:18080/
  1 threads and 16 connections
  744918 requests in 1.67m, 85.53MB read
`;

describe('a report of wrk', () => {
  it('a report has the number of answered requests', () => {
    expect(answersIn(`${REPORT}Requests/sec:   7448.21\n`)).toEqual({
      perSecond: 7448.21,
      answered: 744_918,
      failed: 0,
      failures: [],
    });
  });

  it('a report names failures only if there are any, of two kinds', () => {
    const failures =
      '  Socket errors: connect 1, read 20, write 0, timeout 300\n  Non-2xx or 3xx responses: 4000\n';
    expect(answersIn(`${REPORT}${failures}Requests/sec: 1.00\n`)).toMatchObject({
      failed: 4321,
      failures: failures.trim().split(/\n */),
    });
  });

  it('a report without figures fails with the output of wrk', () => {
    expect(() => answersIn('unable to connect to 127.0.0.1:1 Connection refused')).toThrow(
      'unable to connect',
    );
  });
});
