import { describe, expect, it } from 'vitest';
import { readEntry } from '../../../src/sources/logs/log-entries.ts';

const at = '2026-11-21T05:30:15.123456Z';

describe('a line of a log file', () => {
  it.each([
    ['stdout hello', { at, stream: 'stdout', text: 'hello', continues: false }],
    ['stderr ', { at, stream: 'stderr', text: '', continues: false }],
    ['hook+ some', { at, stream: 'hook', text: 'some', continues: true }],
    ['stdout + plus', { at, stream: 'stdout', text: '+ plus', continues: false }],
  ])('%j is read as an entry', (rest, expected) => {
    expect(readEntry(Buffer.from(`${at} ${rest}`))).toEqual(expected);
  });

  it('a line of another form is kept whole', () => {
    expect(readEntry(Buffer.from('a stranger'))).toEqual({
      at: '',
      stream: 'stdout',
      text: 'a stranger',
      continues: false,
    });
  });

  it('bytes that are not UTF-8 are shown as replacement characters', () => {
    expect(readEntry(Buffer.concat([Buffer.from(`${at} stdout a`), Buffer.from([0xff])])).text).toBe(
      'a\ufffd',
    );
  });
});
