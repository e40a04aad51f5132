import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { cpusIn, machineUnits, onlineCpus, unitsIn } from '../../../src/os/proc/machine-facts.ts';

const configured = (name: string): number => Number(execFileSync('getconf', [name], { encoding: 'utf8' }));

const vector = (...pairs: readonly (readonly [number, number])[]): Buffer => {
  const bytes = Buffer.alloc(16 * pairs.length);
  pairs.forEach(([type, value], at) => {
    bytes.writeBigUInt64LE(BigInt(type), 16 * at);
    bytes.writeBigUInt64LE(BigInt(value), 16 * at + 8);
  });
  return bytes;
};

describe('units of the machine', () => {
  it('units of the machine agree with its configuration', () => {
    expect(machineUnits()).toEqual({
      pageBytes: configured('PAGESIZE'),
      tickMs: 1_000 / configured('CLK_TCK'),
    });
  });

  it('units are read by their numbers, with defaults if they are unknown', () => {
    expect(unitsIn(vector([3, 1], [6, 65_536], [17, 250]))).toEqual({ pageBytes: 65_536, tickMs: 4 });
    expect(unitsIn(vector([3, 1]))).toEqual({ pageBytes: 4_096, tickMs: 10 });
  });
});

describe('the list of CPUs', () => {
  it.each([
    { list: '0\n', cpus: [0] },
    { list: '0-3\n', cpus: [0, 1, 2, 3] },
    { list: '0-1,4,6-7\n', cpus: [0, 1, 4, 6, 7] },
    { list: '\n', cpus: [] },
  ])('the CPU list $list is read', ({ list, cpus }) => {
    expect(cpusIn(list)).toEqual(cpus);
  });

  it('the first CPU of this machine exists', () => {
    expect(onlineCpus().length).toBeGreaterThan(0);
  });
});
