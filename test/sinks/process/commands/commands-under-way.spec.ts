import { describe, expect, it } from 'vitest';
import { projectId, runId, serviceId } from '../../../../src/streams/domain/ids.ts';
import { CommandBook, type BookEntry } from '../../../../src/sinks/process/commands/commands-under-way.ts';

const mark = { service: serviceId(projectId('!command'), 'x'), run: runId(1) };
const PROCESS = { pid: 7, startTicks: 7 };

describe('the list of commands under way', () => {
  it('the list hands over running commands with their facts, and none that has ended', () => {
    const book = new CommandBook([], () => 2);
    const entry: BookEntry = { key: 'probe', mark, until: 5 };
    const strike = book.begin(entry);
    expect(book.isStarting()).toBe(true);
    expect(book.handed()).toEqual([]);
    entry.process = PROCESS;
    expect(book.isStarting()).toBe(false);
    expect(book.handed()).toEqual([{ key: 'probe', mark, process: PROCESS, left: 3 }]);
    entry.status = { tag: 'code', code: 3 };
    entry.scratch = 9;
    expect(book.handed()).toMatchObject([{ status: { code: 3 }, scratch: 9 }]);
    strike();
    expect(book.handed()).toEqual([]);
  });

  it('a command that was handed over goes to the first request, and one without a request is handed on', () => {
    const left = { key: 'command:a', mark, process: PROCESS };
    const book = new CommandBook([left]);
    expect(book.handed()).toEqual([left]);
    expect(book.take(undefined)).toBeUndefined();
    expect(book.take('command:a')).toEqual(left);
    expect(book.take('command:a')).toBeUndefined();
    expect(book.left()).toEqual([]);
  });

  it('the remaining time of a command counts from its arrival', () => {
    let now = 10;
    const book = new CommandBook([{ key: 'probe', mark, process: PROCESS, left: 5 }], () => now);
    now = 12;
    expect(book.handed()).toMatchObject([{ left: 3 }]);
    now = 20;
    expect(book.handed()).toMatchObject([{ left: 0 }]);
  });
});
