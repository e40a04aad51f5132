import { describe, expect, it } from 'vitest';
import { loadText, serviceWith, wrongWith } from '../loading.ts';

describe('logs', () => {
  it('takes sink, max_bytes and max_files', () => {
    expect(serviceWith('logs: { sink: none, max_bytes: 1K, max_files: 3 }').logs).toEqual({
      sink: 'none',
      maxBytes: 1024,
      maxFiles: 3,
    });
  });

  it('merge field by field: service over project over root', () => {
    const { manifest } = loadText(`version: 2
logs: { sink: none, max_bytes: 1K, max_files: 1 }
projects:
  a:
    logs: { max_bytes: 2K, max_files: 2 }
    services:
      x: { command: x, logs: { max_files: 3 } }
      y: { command: y }
services:
  z: { command: z }
`);
    expect(manifest?.services.map(({ logs }) => logs)).toEqual([
      { sink: 'none', maxBytes: 2048, maxFiles: 3 },
      { sink: 'none', maxBytes: 2048, maxFiles: 2 },
      { sink: 'none', maxBytes: 1024, maxFiles: 1 },
    ]);
  });

  it.each([
    ['logs: { sink: tape }', 'ERR0213 logs.sink: "tape" is not one of file, none'],
    ['logs: { max_files: -1 }', 'ERR0213 logs.max_files: -1 is not a whole number from 0 to 10000'],
  ])('refuse %s', (fields, told) => {
    expect(wrongWith(fields)).toEqual([told]);
  });
});
