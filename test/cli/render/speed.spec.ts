// What a service prints must not be able to stop the program that shows it: every function that shows foreign text takes
// 1 MiB of each awkward character within 400 ms. Anything quadratic takes minutes.
import { describe, expect, it } from 'vitest';
import { changeLine } from '../../../src/cli/render/progress.ts';
import { eventLines } from '../../../src/cli/render/event-line.ts';
import { lineStyle } from '../../../src/streams/views/words/log-entry-text.ts';
import { errorLines, warningLines } from '../../../src/cli/render/page/error-page.ts';
import { beginningOf, columnsOf, cut } from '../../../src/cli/render/text-table.ts';
import { hanging, wrapped } from '../../../src/cli/render/paragraphs.ts';
import { evidenceRows } from '../../../src/cli/render/page/page-rows.ts';
import { paintOf } from '../../../src/streams/views/words/paint.ts';
import { pasted } from '../../../src/cli/render/pasteable-hints.ts';
import { renderProblems } from '../../../src/cli/render/problems.ts';
import { projectId, serviceId } from '../../../src/streams/domain/ids.ts';
import { portInUse } from '../../../src/streams/output/address-in-use.ts';
import {
  colouredOutput,
  documentJson,
  dottedLine,
  escapedLine,
  shownLine,
  shownOutput,
  shownText,
} from '../../../src/streams/views/words/foreign-text.ts';

const LENGTH = 1024 * 1024;
const LIMIT_MS = 400;

const AWKWARD: Readonly<Record<string, string>> = {
  'carriage returns': '\r',
  escapes: '\u001b',
  'beginnings of a sequence': '\u001b[',
  'beginnings of a title': '\u001b]',
  colours: '\u001b[31m',
  blanks: ' ',
  tabs: '\t',
  backslashes: '\\',
  'double quotes': '"',
  'single quotes': "'",
  digits: '1',
  'digits and dots': '1.',
  colons: ':',
  'brackets and colons': ']:',
  newlines: '\n',
  'newlines of Windows': '\r\n',
  'combining marks': '\u0301',
  'wide characters': '日',
  emoji: '👍',
  'lone surrogates': '\ud83d',
  NULs: '\u0000',
  'bidirectional controls': '\u202e',
  'zero-width spaces': '\u200b',
  'C1 controls': '\u009b',
  'beginnings of a reference': '${A:-',
  words: 'sup ',
  letters: 'E',
};

const paint = paintOf(true);
const id = serviceId(projectId('shop'), 'web');
const style = { services: [id], json: false, prefix: true, color: true, time: true };
const logLine =
  (more: object) =>
  (text: string): string =>
    lineStyle({ ...style, ...more })({
      at: '2026-11-21T05:30:15.123456Z',
      service: id,
      stream: 'stdout',
      text,
    });
const error = (text: string) =>
  ({ code: 'ERR0102', message: text, path: null, at: null, hint: null, evidence: [] }) as const;

const SHOWING: Readonly<Record<string, (text: string) => unknown>> = {
  shownText,
  shownLine,
  escapedLine,
  shownOutput,
  colouredOutput,
  dottedLine: (text) => dottedLine(text.slice(0, 120)),
  'a JSON document': (text) => documentJson({ text: text.slice(0, 64 * 1024) }),
  'a line of a log on a terminal': logLine({}),
  'a line of a log in a pipe': logLine({ color: false }),
  'a warning': (text) => warningLines([text], true),
  'evidence of an error': (text) => evidenceRows([text, text, text]),
  'the page of an error': (text) =>
    errorLines(error(text), { color: true, verbose: true, sys: true, sourceOf: () => undefined }),
  'a problem with its source line': (text) =>
    renderProblems(
      [
        {
          code: 'ERR0210',
          severity: 'error',
          path: text,
          message: text,
          file: 'a',
          line: 1,
          column: 90,
          source: text,
        },
      ],
      { color: true },
    ),
  'an event': (text) => eventLines({ ...EVENT, reason: text }, { paint, columns: 80 }),
  'a change': (text) =>
    changeLine({ id: 'shop/web', service: { ...SERVICE, reason: text }, from: undefined }, paint),
  'a paragraph': (text) => hanging('head ', shownText(text), 80),
  'a paragraph in a pipe': (text) => hanging('head ', shownText(text)),
  'text in lines': (text) => wrapped(shownText(text), 80),
  'a cell that is cut': (text) => cut(shownLine(text), 40),
  'columns of a text': (text) => columnsOf(shownLine(text)),
  'the beginning of a text': (text) => beginningOf(shownLine(text), 40),
  'a command in a hint': (text) => pasted(shownLine(text), { sys: true }),
  'the port in use': (text) => portInUse([`address already in use${text}`]),
};

const EVENT = {
  schema: 'sup.event/1',
  at: '2026-11-21T05:30:15.123Z',
  kind: 'state',
  project: 'shop',
  service: 'web',
  child: null,
  from: 'running',
  to: 'backoff',
  pid: 1,
  run: 1,
  code: null,
  health: 'unknown',
  rollout: null,
} as never as Parameters<typeof eventLines>[0];
const SERVICE = { state: 'running', health: 'unknown', pid: 1 } as never as Parameters<
  typeof changeLine
>[0]['service'];

/** Milliseconds of processor time: the machine may be busy. The least of up to six attempts. */
const taken = (act: () => unknown): number => {
  let least = Infinity;
  for (let attempt = 0; attempt < 6 && least >= LIMIT_MS; attempt += 1) {
    const begun = process.cpuUsage();
    act();
    const { user, system } = process.cpuUsage(begun);
    least = Math.min(least, (user + system) / 1000);
  }
  return least;
};

const textOf = (unit: string): string => `a${unit.repeat(LENGTH / unit.length)}b`;

describe('1 MiB of an awkward character', () => {
  it.each(Object.entries(SHOWING))(`1 MiB is shown within ${LIMIT_MS} ms by: %s`, (_, show) => {
    const slow = Object.entries(AWKWARD)
      .map(([name, unit]) => ({ name, ms: taken(() => show(textOf(unit))) }))
      .filter(({ ms }) => ms >= LIMIT_MS);
    expect(slow).toEqual([]);
  });
});
