import { describe, expect, it } from 'vitest';
import {
  LONGEST_HEADER,
  STAMP_LENGTH,
  headerOf,
  partHeaderOf,
  readHeader,
  stampOf,
  type LogStream,
} from '../../../src/streams/wire/log-line.ts';

const at = stampOf(new Date('2026-11-21T05:30:15.123Z'));
const STREAMS: readonly LogStream[] = ['stdout', 'stderr', 'hook', 'sup'];
const stamped = (header: string): string => at + header.slice(STAMP_LENGTH);

describe('a log line', () => {
  it('a log line begins with a time of fixed length, so that comparing text compares time', () => {
    expect(at).toBe('2026-11-21T05:30:15.123000Z');
    expect(at).toHaveLength(STAMP_LENGTH);
  });

  it.each(STREAMS)('a log line of %s is read as it was written', (stream) => {
    const whole = stamped(headerOf(stream));
    const part = stamped(partHeaderOf(stream));
    expect(readHeader(`${whole}+ text`)).toEqual({ at, stream, continues: false, textAt: whole.length });
    expect(readHeader(`${part}text`)).toEqual({ at, stream, continues: true, textAt: part.length });
    expect(part.length).toBeLessThanOrEqual(LONGEST_HEADER);
  });

  it('a log line that another program wrote has no header, only text', () => {
    expect(readHeader('a stranger')).toEqual({ at: '', stream: 'stdout', continues: false, textAt: 0 });
  });
});
