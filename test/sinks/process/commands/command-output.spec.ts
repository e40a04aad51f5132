import { fstatSync, readdirSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { describe, expect, it } from 'vitest';
import { openScratch } from '../../../../src/sinks/process/commands/command-output.ts';
import { until } from '../../../fixtures/processes/world.ts';

describe('a temporary output file', () => {
  it('a temporary output file has no name', () => {
    const before = readdirSync(tmpdir()).length;
    const scratch = openScratch()!;
    expect(readdirSync(tmpdir()).length).toBe(before);
    scratch.close();
  });

  it('a temporary output file gives its last lines, however they end', () => {
    const scratch = openScratch()!;
    writeSync(scratch.descriptor, 'one\r\n\ntwo\nthree');
    expect(scratch.lastLines(2)).toEqual(['two', 'three']);
    expect(scratch.lastLines(10)).toEqual(['one', 'two', 'three']);
    scratch.close();
  });

  it('a temporary output file is cut at its limit and continues', async () => {
    const scratch = openScratch()!;
    writeSync(scratch.descriptor, Buffer.alloc(2 * 1024 * 1024, 'x'));
    await until(() => fstatSync(scratch.descriptor).size === 0);
    writeSync(scratch.descriptor, 'after\n');
    expect(scratch.lastLines(10)).toEqual(['after']);
    scratch.close();
  });
});
