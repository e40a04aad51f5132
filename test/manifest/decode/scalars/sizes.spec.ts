import { describe, expect, it } from 'vitest';
import { parseSize } from '../../../../src/manifest/decode/scalars/sizes.ts';
import { serviceWith, wrongWith } from '../../loading.ts';

describe('a size', () => {
  it.each([
    ['0', 0],
    ['512', 512],
    ['1K', 1024],
    ['1KB', 1024],
    ['1KiB', 1024],
    ['512M', 536_870_912],
    ['2g', 2_147_483_648],
    ['1T', 1_099_511_627_776],
    ['1.5G', 1_610_612_736],
    ['1KIB', 1024],
    ['1mIb', 1_048_576],
    ['1tb', 1_099_511_627_776],
  ])('the size %s is %i bytes', (text, bytes) => {
    expect(parseSize(text)).toBe(bytes);
  });

  it.each(['', '1.5', '-1', '1 M', '1MM', '1X', 'M', '1iB', '1e3'])('"%s" is not a size', (text) => {
    expect(parseSize(text)).toBeUndefined();
  });

  it('a size is accepted for logs.max_bytes, where 0 is allowed', () => {
    expect(serviceWith('logs: { max_bytes: 10M }').logs.maxBytes).toBe(10_485_760);
    expect(serviceWith('logs: { max_bytes: 0 }').logs.maxBytes).toBe(0);
  });

  it.each(['0.0001K', '0.0000001mb'])(
    'a size that is not zero and less than one byte is refused: %s',
    (text) => {
      expect(wrongWith(`logs: { max_bytes: ${text} }`)).toEqual([
        `ERR0210 logs.max_bytes: "${text}" is less than one byte`,
      ]);
      expect(serviceWith('logs: { max_bytes: 0.0K }').logs.maxBytes).toBe(0);
    },
  );

  it.each(['9000T', '9007199254740992'])('a size that is too large names the maximum: %s', (text) => {
    expect(wrongWith(`logs: { max_bytes: "${text}" }`)).toEqual([
      `ERR0210 logs.max_bytes: "${text}" is larger than 9007199254740991 bytes, the largest size`,
    ]);
  });

  it('a size below zero is refused as such', () => {
    expect(wrongWith('logs: { max_bytes: -1K }')).toEqual([
      'ERR0210 logs.max_bytes: "-1K" is less than zero',
    ]);
    expect(wrongWith('stop_timeout: -5s')).toEqual(['ERR0210 stop_timeout: "-5s" is less than zero']);
  });

  it('a size is refused with the path of the field', () => {
    expect(wrongWith('logs: { max_bytes: lots }')).toEqual([
      'ERR0210 logs.max_bytes: "lots" is not a whole number, or a number with K, M, G or T',
    ]);
    expect(wrongWith('limits: { cgroup: { memory_max: 1Q } }').at(-1)).toBe(
      'ERR0210 limits.cgroup.memory_max: "1Q" is not a whole number, or a number with K, M, G or T, or max',
    );
  });
});
