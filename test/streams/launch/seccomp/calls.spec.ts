// The tables against the kernel's own headers, kept beside the tests: a wrong number would deny one call and allow another.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { CALL_NAMES, callNumber } from '../../../../src/streams/launch/seccomp/system-calls.ts';

type Architecture = Parameters<typeof callNumber>[1];

/** Names by number, as a header of Debian's linux-libc-dev has them. */
const header = (architecture: Architecture): ReadonlyMap<string, number> => {
  const path = new URL(`../../../fixtures/syscalls/${architecture}.txt`, import.meta.url);
  const lines = readFileSync(path, 'utf8').trim().split('\n').slice(1);
  return new Map(
    lines.map((line): [string, number] => {
      const [number = '', name = ''] = line.split(' ');
      return [name, Number(number)];
    }),
  );
};

describe.each<Architecture>(['x64', 'arm64'])('the system calls of %s', (architecture) => {
  const known = header(architecture);

  it('the table of system calls has each number of the kernel header', () => {
    expect(known.size).toBeGreaterThan(300);
    const wrong = [...known].filter(([name, number]) => callNumber(name, architecture) !== number);
    expect(wrong.map(([name, number]) => [name, number, callNumber(name, architecture)])).toEqual([]);
  });

  it('the table of system calls has no calls that the kernel header lacks, except calls of later kernels', () => {
    const last = Math.max(...known.values());
    const invented = CALL_NAMES.filter((name) => {
      const number = callNumber(name, architecture);
      return number !== undefined && number <= last && !known.has(name);
    });
    expect(invented).toEqual([]);
  });
});
