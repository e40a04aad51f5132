// Questions about logs: the search is a text, whatever it contains.
import { filter, from, firstValueFrom, map, of, toArray } from 'rxjs';
import { describe, expect, it } from 'vitest';
import type { Sup } from '../../../src/client/api/sup-interface.ts';
import { answerQuestion } from '../../../src/dashboard/answers/answer-question.ts';
import { NO_VIEW } from '../../../src/dashboard/live/view-changes.ts';
import type { LogDocument } from '../../../src/streams/wire/documents/basic-documents.ts';
import { fakeSup } from '../fake-sup.ts';

const LINES = [
  `${'a'.repeat(60)}!`,
  'the pattern (a+)+$',
  'ERROR [red] 1.5',
  'error (red) 1x5',
  String.raw`a\d`,
];

const documentOf = (text: string): LogDocument => ({
  ...{ schema: 'sup.log/1', at: null, project: 'shop', service: 'web', stream: 'stdout', text },
});

const logs$ = ((_, query) =>
  from(LINES).pipe(
    filter((text) => query?.grep?.test(text) !== false),
    map(documentOf),
  )) as Sup['logs$'];

/** Returns the lines that the search finds; all lines without a search. */
const found = async (search?: string): Promise<readonly string[]> => {
  const question = { id: 1, ask: 'logs', services: [], lines: 10, follow: false } as const;
  const answer$ = answerQuestion(
    { ...question, ...(search !== undefined && { search }) },
    {
      ...{ sup: fakeSup({ logs$ }).sup, actions: false, now: () => 0, keepsUp: () => true },
      news$: of({ text: '', seen: NO_VIEW, view: () => '' }),
    },
  );
  const answers = await firstValueFrom(answer$.pipe(toArray()), { defaultValue: [] });
  return answers.flatMap((answer) => (answer.to === 'logs' ? answer.lines.map(({ text }) => text) : []));
};

describe('a search in logs', () => {
  it('finds a text in upper and lower case', async () => {
    expect(await found()).toEqual(LINES);
    expect(await found('error')).toEqual(['ERROR [red] 1.5', 'error (red) 1x5']);
  });

  it.each([
    // As a pattern, each would find another line, be invalid, or take hours for the first line.
    ['(a+)+$', 'the pattern (a+)+$'],
    ['[red]', 'ERROR [red] 1.5'],
    ['(red)', 'error (red) 1x5'],
    ['1.5', 'ERROR [red] 1.5'],
    [String.raw`\d`, String.raw`a\d`],
    ['+$', 'the pattern (a+)+$'],
  ])('%j is a text, not a pattern', async (search, line) => {
    expect(await found(search)).toEqual([line]);
  });
});
