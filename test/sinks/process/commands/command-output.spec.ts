import { fstatSync, writeSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { openScratch } from '../../../../src/sinks/process/commands/command-output.ts';
import { until } from '../../../fixtures/processes/world.ts';

describe('a temporary output file', () => {
  it('a temporary output file has no name', () => {
    const scratch = openScratch()!;
    expect(fstatSync(scratch.descriptor)).toMatchObject({ nlink: 0 });
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
