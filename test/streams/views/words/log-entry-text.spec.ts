import { describe, expect, it } from 'vitest';
import {
  lineStyle,
  type LineStyle,
  type ShownLine,
} from '../../../../src/streams/views/words/log-entry-text.ts';
import { LOOSE, projectId, serviceId } from '../../../../src/streams/domain/ids.ts';

const WEB = serviceId(projectId('shop'), 'web');
const WORKER = serviceId(projectId('shop'), 'worker');
const JOB = serviceId(LOOSE, 'job');
const shown: ShownLine = { at: '2026-11-21T05:30:15.123456Z', service: WEB, stream: 'stderr', text: 'hello' };
const plain: LineStyle = { services: [WEB, WORKER], json: false, prefix: false, color: false };

describe('a shown log line', () => {
  it('a shown log line is its text alone', () => {
    expect(lineStyle(plain)(shown)).toBe('hello');
  });

  it('a shown log line has the padded name of its service first', () => {
    expect(lineStyle({ ...plain, prefix: true })(shown)).toBe('web    | hello');
  });

  it('a shown log line has the project in the name if several projects are shown', () => {
    const style = lineStyle({ ...plain, services: [WEB, JOB], prefix: true });
    expect([style(shown), style({ ...shown, service: JOB })]).toEqual([
      'shop/web | hello',
      'job      | hello',
    ]);
  });

  it('a shown log line has a color per service on a terminal', () => {
    const style = lineStyle({ ...plain, prefix: true, color: true });
    expect(style(shown)).not.toBe(style({ ...shown, service: WORKER }).replace('worker', 'web   '));
  });

  it('a shown log line is marked if it is of standard error or a remark of sup', () => {
    const style = lineStyle({ ...plain, prefix: true, marks: true });
    const of = (stream: string): string => style({ ...shown, stream });
    expect(['stderr', 'sup', 'stdout'].map(of)).toEqual([
      'web    | ! hello',
      'web    | * hello',
      'web    | hello',
    ]);
  });

  it('a shown log line has local time with the UTC offset', () => {
    const text = lineStyle({ ...plain, time: true, local: true })(shown);
    const [, time = '', said] = /^(\S{23}[+-]\d\d:\d\d) (.*)$/.exec(text) ?? [];
    expect([Date.parse(time), said]).toEqual([Date.parse('2026-11-21T05:30:15.123Z'), 'hello']);
  });

  it('a shown log line with --json is a document with each key', () => {
    expect(JSON.parse(lineStyle({ ...plain, json: true })(shown))).toEqual({
      schema: 'sup.log/1',
      at: '2026-11-21T05:30:15.123456Z',
      project: 'shop',
      service: 'web',
      stream: 'stderr',
      text: 'hello',
    });
    expect(JSON.parse(lineStyle({ ...plain, json: true })({ ...shown, at: '' }))).toMatchObject({ at: null });
  });
});
