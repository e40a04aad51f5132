import { describe, expect, it } from 'vitest';
import { problemsDocument, renderProblems } from '../../../src/cli/render/problems.ts';
import type { Problem } from '../../../src/streams/domain/declared/manifest.ts';

const PROBLEM: Problem = {
  code: 'ERR0210',
  severity: 'error',
  path: 'services.web.backoff',
  file: '/app/sup.yaml',
  line: 14,
  column: 12,
  message: '"1.5s" is not a whole number with ms, s, m or h',
  hint: 'try 1500ms',
  source: '  backoff: 1.5s',
};
const plain = (problem: Partial<Problem>): string =>
  renderProblems([{ ...PROBLEM, ...problem }], { color: false });

describe('problems for people', () => {
  it('a problem has code, path, message, place, the line with a caret, and the hint', () => {
    expect(plain({}))
      .toBe(`error ERR0210 services.web.backoff: "1.5s" is not a whole number with ms, s, m or h
  at /app/sup.yaml:14:12
  14 |   backoff: 1.5s
                  ^
  hint: try 1500ms
`);
  });

  it('a problem needs neither path nor place', () => {
    const { code, severity, message } = PROBLEM;
    expect(renderProblems([{ code, severity, message, path: '' }], { color: false })).toBe(
      `error ERR0210 ${message}\n`,
    );
  });

  it('a problem escapes control characters of keys, messages and file names', () => {
    const told = plain({
      path: 'env.K\u001b]0;x\u0007\nerror',
      message: 'a\u009bb',
      file: '/a\u001b',
      hint: '\u0007',
    });
    expect(told.split('\n').slice(0, 2)).toEqual([
      'error ERR0210 env.K\\x1b]0;x\\x07\\nerror: a\\x9bb',
      '  at /a\\x1b:14:12',
    ]);
    expect(told).toContain('hint: \\x07');
  });

  it('a problem keeps tabs before the caret', () => {
    expect(plain({ source: '\tx: y', column: 5 })).toContain('14 | \tx: y\n       \t   ^\n');
  });

  it('a problem shows the part of a long line around the caret', () => {
    const source = `${'a'.repeat(200)}HERE${'b'.repeat(200)}`;
    const lines = plain({ source, column: 201 }).split('\n');
    const caret = lines[3]?.indexOf('^') ?? -1;
    expect(lines[2]?.slice(caret, caret + 4)).toBe('HERE');
    expect(lines[2]?.length).toBeLessThan(140);
  });

  it('a problem has escape codes only with colour, and never those of the file', () => {
    expect(renderProblems([PROBLEM], { color: true })).toContain('\u001b[31m');
    expect(plain({ source: 'a: \u001b[31mred' })).not.toContain('\u001b');
  });

  it('a warning is called a warning', () => {
    expect(plain({ severity: 'warning' })).toMatch(/^warning ERR0210/);
  });

  it('problems are separated by an empty line', () => {
    expect(renderProblems([PROBLEM, PROBLEM], { color: false }).split('\n\n')).toHaveLength(2);
    expect(renderProblems([], { color: false })).toBe('');
  });
});

describe('problems for programs', () => {
  it('problems are one sup.problems/1 document in which unknown is null', () => {
    const { code, severity, message } = PROBLEM;
    expect(problemsDocument([{ code, severity, message, path: '' }])).toEqual({
      schema: 'sup.problems/1',
      valid: false,
      problems: [{ code, severity, message, path: '', file: null, line: null, column: null, hint: null }],
      notes: [],
    });
  });

  it('problems with warnings only are valid', () => {
    expect(problemsDocument([{ ...PROBLEM, severity: 'warning' }]).valid).toBe(true);
    expect(problemsDocument([]).valid).toBe(true);
  });
});
