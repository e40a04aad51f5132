import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeCgroup, NoCgroup, removeCgroup } from '../../../src/sinks/privilege/cgroup.ts';

// A plain directory stands for the hierarchy: what the kernel would make of a write is left in the file.
let top: string;
beforeEach(() => {
  top = mkdtempSync(join(tmpdir(), 'cg-'));
  writeFileSync(join(top, 'cgroup.controllers'), 'cpuset cpu io memory pids\n');
});
afterEach(() => rmSync(top, { recursive: true }));

const textOf = (...path: readonly string[]): string => readFileSync(join(top, ...path), 'utf8');

describe('a cgroup', () => {
  it('a cgroup is created with its limits, and the controllers are enabled from the top down', () => {
    const root = join(top, 'sup', 'inner');
    const unit = join(root, 'shop:web');
    const ceilings = { memoryMax: 1024, memoryHigh: 512, cpuMax: '50000 100000', cpuWeight: 7, pidsMax: 9 };
    makeCgroup({ root, ...ceilings }, unit);
    expect(textOf('cgroup.subtree_control')).toBe('+memory +cpu +pids');
    expect(textOf('sup', 'cgroup.subtree_control')).toBe('+memory +cpu +pids');
    expect(textOf('sup', 'inner', 'cgroup.subtree_control')).toBe('+memory +cpu +pids');
    expect(existsSync(join(unit, 'cgroup.subtree_control'))).toBe(false);
    expect(readFileSync(join(unit, 'memory.max'), 'utf8')).toBe('1024');
    expect(readFileSync(join(unit, 'memory.high'), 'utf8')).toBe('512');
    expect(readFileSync(join(unit, 'pids.max'), 'utf8')).toBe('9');
    expect(readFileSync(join(unit, 'cpu.max'), 'utf8')).toBe('50000 100000');
    expect(readFileSync(join(unit, 'cpu.weight'), 'utf8')).toBe('7');
  });

  it('only missing and requested controllers are enabled', () => {
    writeFileSync(join(top, 'cgroup.subtree_control'), 'memory');
    makeCgroup({ root: join(top, 'sup'), memoryMax: 'max' }, join(top, 'sup', 'u'));
    expect(textOf('cgroup.subtree_control')).toBe('memory');
    expect(textOf('sup', 'cgroup.subtree_control')).toBe('+memory');
  });

  it('a cgroup without limits needs no controller', () => {
    writeFileSync(join(top, 'cgroup.controllers'), '');
    makeCgroup({ root: join(top, 'sup') }, join(top, 'sup', 'u'));
    expect(existsSync(join(top, 'sup', 'u'))).toBe(true);
    expect(existsSync(join(top, 'cgroup.subtree_control'))).toBe(false);
  });

  it('a cgroup cannot be created if a controller or the hierarchy is missing', () => {
    writeFileSync(join(top, 'cgroup.controllers'), 'cpu pids');
    const root = join(top, 'sup');
    expect(() => makeCgroup({ root, memoryMax: 1 }, join(root, 'u'))).toThrow(
      `${top} has no memory controller (cpu pids)`,
    );
    rmSync(join(top, 'cgroup.controllers'));
    expect(() => makeCgroup({ root }, join(root, 'u'))).toThrow(`there is no cgroup v2 hierarchy at ${root}`);
    expect(existsSync(root)).toBe(false);
  });

  it('a limit that the kernel refuses is named', () => {
    const root = join(top, 'sup');
    mkdirSync(join(root, 'u', 'memory.max'), { recursive: true });
    const make = (): void => makeCgroup({ root, memoryMax: 5 }, join(root, 'u'));
    expect(make).toThrow(NoCgroup);
    expect(make).toThrow('memory.max does not take 5 (EISDIR)');
  });

  it('a cgroup is removed when it is empty, and a missing one counts as removed', () => {
    const unit = join(top, 'u');
    mkdirSync(unit);
    expect([removeCgroup(unit), existsSync(unit), removeCgroup(unit)]).toEqual([true, false, true]);
    mkdirSync(join(unit, 'busy'), { recursive: true });
    expect(removeCgroup(unit)).toBe(false);
  });
});
