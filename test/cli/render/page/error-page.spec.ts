import { describe, expect, it } from 'vitest';
import { errorLines, type ErrorLook } from '../../../../src/cli/render/page/error-page.ts';
import type { ErrorDocument } from '../../../../src/streams/wire/documents/basic-documents.ts';

const look: ErrorLook = { color: false, verbose: false, sys: false, sourceOf: () => undefined };
const errorOf = (facts: Partial<ErrorDocument>): ErrorDocument => ({
  code: 'ERR0102',
  message: 'exited with 1 before it was ready',
  path: 'shop/web',
  at: null,
  hint: 'read the last output lines',
  ...facts,
});

describe('the page of an error', () => {
  it('an error page has code, subject and hint, and the last output', () => {
    const evidence = ['one', 'two', 'three', 'four', 'five', 'six \u001b[31m'];
    expect(errorLines(errorOf({ evidence }), look)).toEqual([
      'ERR0102 shop/web: exited with 1 before it was ready',
      '  | two',
      '  | three',
      '  | four',
      '  | five',
      '  | six \\x1b[31m',
      '  read the last output lines',
      'more: sup why shop/web; sup logs shop/web -n 50',
    ]);
    expect(errorLines(errorOf({ evidence }), { ...look, verbose: true })).toContain('  | one');
  });

  it('commands of an error page mean the supervisor that was asked', () => {
    const page = errorLines(errorOf({ hint: 'mend the cause, then: sup start shop/web' }), {
      ...look,
      sys: true,
    });
    expect(page.slice(1)).toEqual([
      '  mend the cause, then: sup start --sys shop/web',
      'more: sup why --sys shop/web; sup logs --sys shop/web -n 50',
    ]);
  });

  it('an error page does not repeat the subject if the message names it', () => {
    const [first] = errorLines(errorOf({ message: 'shop/web: exited' }), look);
    expect(first).toBe('ERR0102 shop/web: exited');
  });

  it('an error page lists nested errors, each with its hint', () => {
    const inner = errorOf({ path: 'shop/api' });
    const page = errorLines(
      errorOf({ code: 'ERR0106', message: '1 of 3 did not come up', path: null, errors: [inner] }),
      look,
    );
    expect(page).toEqual([
      'ERR0106 1 of 3 did not come up',
      '  ERR0102 shop/api: exited with 1 before it was ready',
      '    read the last output lines',
      'more: sup why shop/api; sup logs shop/api -n 50',
    ]);
  });

  it('an error page shows some of many similar errors, and all on request', () => {
    const failing = (name: string, facts: Partial<ErrorDocument> = {}): ErrorDocument =>
      errorOf({ path: name, message: `${name}: exited with 1 before it was ready`, hint: null, ...facts });
    const many = ['a', 'b', 'c', 'd', 'e'].map((name) => failing(name));
    const errors = [...many.slice(0, 2), failing('odd', { code: 'ERR0113' }), ...many.slice(2)];
    const whole = errorOf({ code: 'ERR0106', message: '6 of 6 did not come up', path: null, errors });
    expect(errorLines(whole, look).slice(1, -1)).toEqual([
      '  ERR0102 a: exited with 1 before it was ready',
      '  ERR0102 b: exited with 1 before it was ready',
      '  ERR0102 c: exited with 1 before it was ready',
      '  … and 2 more like these (all of them: --verbose)',
      '  ERR0113 odd: exited with 1 before it was ready',
    ]);
    const all = errorLines(whole, { ...look, verbose: true });
    expect(all.filter((line) => line.startsWith('  ERR'))).toHaveLength(6);
    const four = errorOf({ path: null, errors: many.slice(1) });
    expect(errorLines(four, look).filter((line) => line.startsWith('  ERR'))).toHaveLength(4);
  });

  it('an error page shows problems of a manifest below their line with a caret', () => {
    const page = errorLines(
      errorOf({
        code: 'ERR0301',
        message: 'a registered manifest is invalid',
        path: null,
        problems: [
          {
            code: 'ERR0211',
            severity: 'error',
            path: 'services.web.comand',
            file: '/srv/sup.yaml',
            line: 4,
            column: 5,
            message: 'unknown key',
            hint: 'did you mean "command"?',
          },
        ],
      }),
      {
        ...look,
        sourceOf: (file, line) => (file === '/srv/sup.yaml' && line === 4 ? '    comand: x' : undefined),
      },
    ).join('\n');
    expect(page).toContain('ERR0211');
    expect(page).toContain('/srv/sup.yaml:4:5');
    expect(page).toMatch(/4 \| {5}comand: x\n +\^/);
    expect(page).toContain('did you mean "command"?');
  });

  it('an error page has no headline if a problem with its code follows, also after a warning', () => {
    const problem = { file: null, line: null, column: null, hint: null };
    const page = errorLines(
      errorOf({
        code: 'ERR0211',
        problems: [
          { ...problem, code: 'ERR0705', severity: 'warning', path: 'limits', message: 'has no effect' },
          { ...problem, code: 'ERR0211', severity: 'error', path: 'limits.nofil', message: 'is not a key' },
        ],
      }),
      look,
    );
    expect(page).toEqual([
      'warning ERR0705 limits: has no effect',
      '',
      'error ERR0211 limits.nofil: is not a key',
    ]);
  });
});
