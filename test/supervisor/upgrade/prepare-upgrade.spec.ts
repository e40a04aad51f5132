import { describe, expect, it } from 'vitest';
import { tried } from '../../../src/supervisor/upgrade/prepare-upgrade.ts';
import { HANDOVER_FORMAT } from '../../../src/streams/upgrade/handover.ts';

const TRIAL = { trial: 1, version: '2.0.0', handover: HANDOVER_FORMAT, begins: true, problems: [] };
const WITHIN = { limit: 50_000, broken: [] };

describe('the trial of a program', () => {
  it('a trial returns the answer of the program, whose standard input is empty', async () => {
    const program = `require('fs').readFileSync(0); console.log(process.argv[1])`;
    expect(
      await tried({ argv: [process.execPath, '-e', program, JSON.stringify(TRIAL)], ...WITHIN }),
    ).toEqual({
      trial: TRIAL,
    });
  });

  it.each([
    ['ends', 'exit 4', 'the new program ended with status 4 when it was tried'],
    ['is killed', 'kill -s SEGV $$', 'the new program ended by SIGSEGV when it was tried'],
    [
      'says why',
      'echo "ERR0001 no" >&2',
      'the new program ended with status 0 when it was tried: ERR0001 no',
    ],
  ])('a trial is refused if the program %s', async (_, script, refusal) => {
    expect(await tried({ argv: ['/bin/sh', '-c', script], ...WITHIN })).toEqual({ refusal });
  });

  it('a trial is ended if the program does not answer', async () => {
    expect(await tried({ argv: ['/bin/sleep', '1000'], ...WITHIN, limit: 50 })).toEqual({
      refusal: 'the new program did not answer within 50 ms when it was tried',
    });
  });
});
