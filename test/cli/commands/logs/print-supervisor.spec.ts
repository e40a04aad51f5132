import { rmSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { printSupervisor, type SupervisorLines } from '../../../../src/cli/commands/logs/print-supervisor.ts';
import { temporary, write } from './harness.ts';

const note = (day: number, text: string): string => `2026-11-${day}T05:00:00.000Z warn [shop/web] ${text}\n`;

const heard = (directory: string, more: Partial<SupervisorLines> = {}) => {
  let text = '';
  const enough = new AbortController();
  const args = { directory, lines: 10, follow: false, json: false, raw: false, ...more };
  const out = { write: (more: string) => void (text += more), color: false };
  return { done: printSupervisor(args, out, enough.signal), text: () => text, enough };
};

const texts = (printed: string): readonly string[] =>
  printed.split('\n').flatMap((line) => /\] (.*)$/.exec(line)?.[1] ?? []);

describe("the supervisor's own log", () => {
  const filled = (): string => {
    const directory = temporary();
    write(`${directory}/supervisor-2026-11-20.log`, note(20, 'one'));
    write(`${directory}/supervisor-2026-11-21.log`, note(21, 'two'));
    write(`${directory}/supervisor-2026-11-21.1.log`, note(21, 'three'), note(21, '\u001b]0;evil\u0007four'));
    write(`${directory}/events.jsonl`, '{}\n');
    return directory;
  };

  it('the supervisor log is read from its end, across daily files', async () => {
    const all = heard(filled());
    await all.done;
    expect(texts(all.text())).toEqual(['one', 'two', 'three', 'four']);
    const last = heard(filled(), { lines: 3, grep: /one|two|four/ });
    await last.done;
    expect(texts(last.text())).toEqual(['one', 'two', 'four']);
    const since = heard(filled(), { since: '2026-11-21T00:00:00.000000Z', lines: 1 });
    await since.done;
    expect(texts(since.text())).toEqual(['four']);
    const none = heard(temporary());
    await none.done;
    expect(none.text()).toBe('');
  });

  it('the supervisor log is one document a line with --json', async () => {
    const shown = heard(filled(), { json: true, lines: 1 });
    await shown.done;
    expect(JSON.parse(shown.text())).toEqual({
      schema: 'sup.note/1',
      at: '2026-11-21T05:00:00.000Z',
      level: 'warn',
      service: 'shop/web',
      text: '\u001b]0;evil\u0007four',
    });
  });

  it('the supervisor log is followed into the next file', async () => {
    const directory = filled();
    const shown = heard(directory, { follow: true, lines: 1 });
    const comes = async (text: string): Promise<void> => {
      while (!shown.text().includes(text)) await pause(5);
    };
    await comes('four');
    write(`${directory}/supervisor-2026-11-21.1.log`, note(21, 'five'));
    await comes('five');
    // More than one file since the last look.
    write(`${directory}/supervisor-2026-11-21.2.log`, note(21, 'six'));
    write(`${directory}/supervisor-2026-11-22.log`, note(22, 'seven'));
    await comes('seven');
    shown.enough.abort();
    await shown.done;
    expect(texts(shown.text())).toEqual(['four', 'five', 'six', 'seven']);
  });

  it('the supervisor log is followed although its file is removed and created again', async () => {
    const directory = filled();
    const shown = heard(directory, { follow: true, lines: 1 });
    const comes = async (text: string): Promise<void> => {
      while (!shown.text().includes(text)) await pause(5);
    };
    await comes('four');
    rmSync(`${directory}/supervisor-2026-11-21.1.log`);
    // Some looks at what there is.
    await pause(350);
    write(`${directory}/supervisor-2026-11-21.1.log`, note(21, 'five'));
    await comes('five');
    rmSync(`${directory}/supervisor-2026-11-21.1.log`);
    write(`${directory}/supervisor-2026-11-22.log`, note(22, 'six'));
    await comes('six');
    shown.enough.abort();
    await shown.done;
    expect(texts(shown.text())).toEqual(['four', 'five', 'six']);
  });
});
