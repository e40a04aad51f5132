import { describe, expect, it } from 'vitest';
import { CATALOGUE } from '../../../../src/streams/domain/errors/catalogue.ts';
import type { ErrorCode, SupError } from '../../../../src/streams/domain/errors/error.ts';
import { LOOSE, serviceId } from '../../../../src/streams/domain/ids.ts';
import type { Problem } from '../../../../src/streams/domain/declared/manifest.ts';
import { errorDocument } from '../../../../src/streams/views/errors/error-text.ts';
import { SENTENCES, evidence, exited, failures, problem, service } from './error-sentences.ts';

describe('the text of an error', () => {
  it.each(SENTENCES)('the error $code is a sentence', (error, sentence) => {
    const document = errorDocument(error);
    expect(document.message).toBe(sentence);
    expect(document.code).toBe(error.code);
    expect(document.hint).toMatch(/\w/);
  });

  it('each error code that is not only a manifest problem has a sentence in this test', () => {
    const manifestOnly = (code: string): boolean =>
      /^ERR(020[789]|021\d|022[0-367]|0705|07(2[0-68]|4\d))$/.test(code);
    const codes = (Object.keys(CATALOGUE) as ErrorCode[]).filter((code) => !manifestOnly(code));
    expect([...new Set(SENTENCES.map(([{ code }]) => code))].sort()).toEqual(codes.sort());
  });

  it('the sentence of a manifest error is its first problem, with place, key and the number of further problems', () => {
    const error: SupError = {
      code: 'ERR0210',
      manifest: '/shop/sup.yaml',
      problems: [{ ...problem, hint: 'write 1500ms' }, problem],
    };
    expect(errorDocument(error)).toMatchObject({
      code: 'ERR0210',
      message:
        'projects.shop.services.web.backoff: "1.5s" is not a whole number with ms, s, m or h (and 1 more problem)',
      path: 'projects.shop.services.web.backoff',
      at: 'shop.yaml:14:16',
      hint: 'write 1500ms',
      problems: [{ hint: 'write 1500ms' }, { hint: null, line: 14 }],
    });
  });

  it('the sentence of a manifest error is never a warning, even if a warning comes first', () => {
    const warning: Problem = {
      ...problem,
      code: 'ERR0705',
      severity: 'warning',
      path: 'a',
      line: 1,
      hint: 'w',
    };
    const error: SupError = {
      code: 'ERR0210',
      manifest: '/shop/sup.yaml',
      problems: [warning, { ...problem, hint: 'write 1500ms' }],
    };
    const { message, path, at, hint } = errorDocument(error);
    expect({ path, at, hint }).toEqual({ path: problem.path, at: 'shop.yaml:14:16', hint: 'write 1500ms' });
    expect(message).toMatch(/^projects\.shop\.services\.web\.backoff: "1\.5s"/);
  });

  it('the error of a command by a user is not about the service', () => {
    const error = { code: 'ERR0113', service, command: 'nosuch', detail: 'no such program' } as const;
    expect(errorDocument(error)).toMatchObject({
      message: 'shop/web: "nosuch" could not be started: no such program',
      path: null,
    });
  });

  it('an error has its nested errors and the last lines of the service', () => {
    const document = errorDocument({ code: 'ERR0106', failures, total: 5 });
    expect(document.errors?.map(({ code }) => code)).toEqual(['ERR0102', 'ERR0113']);
    expect(document.errors?.[0]?.evidence).toEqual(evidence);
    expect(errorDocument({ code: 'ERR0110', service, attempts: 8, last: exited }).evidence).toEqual(evidence);
  });

  it('an error names a service outside of projects without a project', () => {
    expect(errorDocument({ code: 'ERR0117', service: serviceId(LOOSE, 'web') }).path).toBe('web');
  });
});
