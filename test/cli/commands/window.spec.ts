// How many lines `logs` and `events` show, through the whole command.
import { describe, expect, it } from 'vitest';
import { run } from '../../../src/cli/command-line.ts';
import { projectId, serviceId } from '../../../src/streams/domain/ids.ts';
import { instant } from '../../../src/streams/domain/time.ts';
import { supervisorEvent } from '../../../src/streams/views/events/event-documents.ts';
import { layoutOf } from '../../../src/streams/wire/layout.ts';
import { numbered, temporary, write } from './logs/harness.ts';
import { fakeWorld } from '../support/fake-world.ts';

const MANY = 250;
const AT = Date.parse('2026-11-21T05:00:00.000Z');
const [FROM, TO] = ['2026-11-21T04:00:00Z', '2026-11-21T06:00:00Z'];

/** A data directory with so many lines of everything that can be looked back at, all of one minute. */
const recorded = (): string => {
  const dataDir = temporary();
  const layout = layoutOf(dataDir);
  const event = supervisorEvent({ at: instant(AT), pid: 1, to: 'running', version: 'x' });
  write(layout.log(serviceId(projectId('shop'), 'web')), ...numbered(1, MANY));
  write(layout.events, `${JSON.stringify(event)}\n`.repeat(MANY));
  write(`${layout.supervisorLogs}/supervisor-2026-11-21.log`, `${event.at} info ready\n`.repeat(MANY));
  return dataDir;
};

describe.each(['logs', 'logs --supervisor', 'events'])('sup %s', (line) => {
  const shown = async (...options: readonly string[]): Promise<number> => {
    const heard = fakeWorld({ environment: { SUP_DATA_DIR: recorded() } });
    const words = [...line.split(' '), ...options];
    expect(await run(words, heard.world), heard.err()).toBe(0);
    return heard.out().split('\n').length - 1;
  };

  it.each([
    ['the last hundred', [], 100],
    ['as many as are asked for', ['-n', '7'], 7],
    ['all since a time', ['--since', FROM], MANY],
    ['all until a time', ['--until', TO], MANY],
    ['the last of a time, when so many are asked for', ['--since', FROM, '--until', TO, '-n', '7'], 7],
    ['nothing of another time', ['--since', TO], 0],
  ])('shows %s', async (_, options, count) => {
    expect(await shown(...options)).toBe(count);
  });
});
