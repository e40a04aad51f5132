import { describe, expect, it } from 'vitest';
import { projectId, runId, serviceId } from '../../../src/streams/domain/ids.ts';
import { instant } from '../../../src/streams/domain/time.ts';
import { commandsLeft, pausesLeft } from '../../../src/streams/upgrade/left.ts';

const NOW = instant(1_000);
const COMMAND = {
  key: 'k',
  mark: { service: serviceId(projectId('!command'), 'x'), run: runId(1) },
  process: { pid: 7, startTicks: 7 },
};

describe('what is left of the lengths that were under way', () => {
  it('is what was handed over', () => {
    expect(pausesLeft({ pauses: { a: 300 } }, NOW)).toEqual({ a: 300 });
    const commands = [COMMAND, { ...COMMAND, left: 300 }];
    expect(commandsLeft({ commands }, NOW)).toEqual(commands);
  });

  it('is counted to the moments that a version before handed over', () => {
    expect(pausesLeft({ paces: { soon: 1_200, late: 900 } }, NOW)).toEqual({ soon: 200, late: 0 });
    const commands = [
      { ...COMMAND, until: 1_200 },
      { ...COMMAND, until: 900 },
    ];
    expect(commandsLeft({ commands }, NOW)).toEqual([
      { ...COMMAND, left: 200 },
      { ...COMMAND, left: 0 },
    ]);
  });

  it('is nothing where nothing was handed over', () => {
    expect(pausesLeft({}, NOW)).toEqual({});
    expect(commandsLeft({ commands: [] }, NOW)).toEqual([]);
  });
});
