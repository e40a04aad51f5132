import { appendFileSync, renameSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { EventReader, isWithin } from '../../../src/sources/logs/read-events.ts';
import { instant } from '../../../src/streams/domain/time.ts';
import { supervisorEvent } from '../../../src/streams/views/events/event-documents.ts';
import { layoutOf } from '../../../src/streams/wire/layout.ts';
import type { EventDocument } from '../../../src/streams/wire/documents/event-document.ts';
import { temporary, write } from '../../cli/commands/logs/harness.ts';

const event = (at: number): EventDocument =>
  supervisorEvent({ at: instant(at), pid: 1, to: 'running', version: 'x' });
const line = (at: number): string => `${JSON.stringify(event(at))}\n`;
const times = (events: readonly EventDocument[]): readonly number[] => events.map(({ at }) => Date.parse(at));

describe('reading events', () => {
  it('events come from both files, oldest first, without invalid lines', async () => {
    const dataDir = temporary();
    const path = layoutOf(dataDir).events;
    write(`${path}.1`, line(1), line(2));
    write(path, line(3), 'rubbish\n', '{"schema":"else"}\n', 'null\n', line(4), '{"schema":"sup.ev');
    const reader = await EventReader.open(dataDir);
    expect(times(await reader.past())).toEqual([1, 2, 3, 4]);
    await reader.close();
  });

  it('new events are followed across a rotation and from an empty file', async () => {
    const dataDir = temporary();
    const path = layoutOf(dataDir).events;
    const reader = await EventReader.open(dataDir);
    expect(await reader.past()).toEqual([]);
    const enough = new AbortController();
    const seen: number[] = [];
    write(path, line(1));
    for await (const events of reader.follow(enough.signal)) {
      seen.push(...times(events));
      if (seen.length === 1 && events.length === 1) appendFileSync(path, line(2));
      if (seen.length === 2 && events.length === 1) {
        renameSync(path, `${path}.1`);
        write(path, line(3));
      }
      if (seen.length === 3) enough.abort();
    }
    await reader.close();
    expect(seen).toEqual([1, 2, 3]);
  });

  it.each([
    [{}, true],
    [{ since: '1970-01-01T00:00:01.000000Z' }, true],
    [{ since: '1970-01-01T00:00:01.000001Z' }, false],
    [{ until: '1970-01-01T00:00:01.000000Z' }, true],
    [{ until: '1970-01-01T00:00:00.999999Z' }, false],
  ])('events are limited to a time range: %j', (stretch, within) => {
    expect(isWithin(event(1_000), stretch)).toBe(within);
  });
});
