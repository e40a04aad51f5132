import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { dataDirectoryFailure } from '../../src/cli/report-error.ts';
import { Failure } from '../../src/streams/views/errors/command-failure.ts';
import { run } from '../../src/cli/command-line.ts';
import { fakeWorld } from './support/fake-world.ts';

const refusalOf = (file: string): unknown => {
  try {
    return readFileSync(file);
  } catch (error) {
    return error;
  }
};

describe('an error of the file system', () => {
  it('an error below the data directory is ERR0701', () => {
    expect(dataDirectoryFailure(refusalOf('/dev/null/x/y'), '/dev/null/x')).toMatchObject({
      document: { code: 'ERR0701', message: expect.stringMatching(/^\/dev\/null\/x\/y .*ENOTDIR/) as string },
    });
    expect(dataDirectoryFailure(refusalOf('/dev/null/x'), '/dev/null/x')).toBeInstanceOf(Failure);
  });

  it('an error elsewhere, and any other error, is kept', () => {
    for (const thrown of [refusalOf('/dev/null/xy'), new Error('a bug'), 'a word', undefined])
      expect(dataDirectoryFailure(thrown, '/dev/null/x')).toBe(thrown);
  });

  it.each([['events'], ['purge', '--dry-run'], ['logs'], ['start', '--', 'true']])(
    'a data directory below a file ends sup %s with ERR0701',
    async (...line) => {
      const heard = fakeWorld({ environment: { SUP_DATA_DIR: '/dev/null/x' } });
      expect(await run(line, heard.world)).toBe(1);
      expect(heard.err()).toMatch(/^ERR0701 /);
    },
  );

  it('a data directory that cannot be created is reported at once', async () => {
    const heard = fakeWorld({ environment: { SUP_DATA_DIR: '/proc/x' } });
    expect(await run(['start', '--', 'true'], heard.world)).toBe(1);
    expect(heard.err()).toMatch(/^ERR0701 /);
  });
});
