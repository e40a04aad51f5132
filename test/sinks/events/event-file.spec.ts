import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { EventFile } from '../../../src/sinks/events/event-file.ts';
import { instant } from '../../../src/streams/domain/time.ts';
import { supervisorEvent } from '../../../src/streams/views/events/event-documents.ts';

let directory: string;
let told: string[];
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'sup-events-'));
  told = [];
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

const path = (): string => join(directory, 'logs', 'events.jsonl');
const event = (at: number) => supervisorEvent({ at: instant(at), pid: 1, to: 'running', version: 'x' });
const open = (maxBytes = 1_000_000) =>
  new EventFile({ path: path(), maxBytes, logError: (text) => void told.push(text) });
const timesIn = (file: string): readonly number[] =>
  readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => Date.parse((JSON.parse(line) as { at: string }).at));

describe('the events file', () => {
  it('the events file has a line for each event, in order, readable by its owner only', async () => {
    const file = open();
    for (let at = 0; at < 1_000; at += 1) file.add(event(at));
    expect(existsSync(path())).toBe(false);
    await file.close();
    expect(timesIn(path())).toEqual(Array.from({ length: 1_000 }, (_, at) => at));
    expect(statSync(path()).mode & 0o777).toBe(0o600);
  });

  it('the events file is continued, and never takes more than two files', async () => {
    for (let at = 0; at < 40; at += 1) {
      const file = open(1_000);
      file.add(event(at));
      await file.close();
    }
    expect(Math.max(statSync(path()).size, statSync(`${path()}.1`).size)).toBeLessThanOrEqual(1_000);
    const kept = [...timesIn(`${path()}.1`), ...timesIn(path())];
    expect(kept.at(-1)).toBe(39);
    expect(kept).toEqual(Array.from({ length: kept.length }, (_, place) => 40 - kept.length + place));
    expect(existsSync(`${path()}.2`)).toBe(false);
  });

  it('an events file that cannot be written is reported once, and continues when it can', async () => {
    mkdirSync(path(), { recursive: true });
    const file = open();
    file.add(event(1));
    await file.close();
    file.add(event(2));
    await file.close();
    expect(told).toHaveLength(1);
    expect(told[0]).toContain('events are not kept in');
    rmSync(path(), { recursive: true });
    file.add(event(3));
    await file.close();
    expect(timesIn(path())).toEqual([3]);
  });
});
