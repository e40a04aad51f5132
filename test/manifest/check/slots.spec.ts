import { describe, expect, it } from 'vitest';
import { loadText, manifestOf } from '../loading.ts';

const told = (check: string, version: string): readonly string[] =>
  loadText(
    manifestOf(
      `deployment: { health_check: { ${check} }, blue_green: { slots: ['9001', '9002'], env_var: PORT, switch_command: run } }`,
      version,
    ),
  )
    .problems.filter(({ code }) => code === 'ERR0223')
    .map(({ severity, path, message }) => `${severity} ${path.split('.').at(-1) ?? ''} ${message}`);

const ASKS = 'asks slot 9002 at its fixed address, also when the other slot has the traffic';

describe('a health_check at the fixed address of one slot', () => {
  it('is warned of under version 2, and refused under version 3', () => {
    expect(told('url: "http://127.0.0.1:9002/"', '2')).toEqual([`warning url ${ASKS}`]);
    expect(told('url: "http://127.0.0.1:9002/"', '3')).toEqual([`error url ${ASKS}`]);
    expect(told('command: "curl -f localhost:9002"', '3')).toEqual([`error command ${ASKS}`]);
  });

  it.each([
    'url: "http://127.0.0.1:{slot}/"',
    'url: "http://127.0.0.1:8080/"',
    'command: "curl localhost:$PORT"',
  ])('is not: %s', (check) => expect(told(check, '3')).toEqual([]));
});
