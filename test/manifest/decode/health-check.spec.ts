import { describe, expect, it } from 'vitest';
import { serviceWith, wrongWith } from '../loading.ts';

const checkWith = (fields: string) =>
  serviceWith(`deployment: { health_check: { ${fields} } }`).deployment.healthCheck;
const wrong = (fields: string): readonly string[] =>
  wrongWith(`deployment: { health_check: { ${fields} } }`).map((line) => line.replace('deployment.', ''));

describe('a health check', () => {
  it('has the defaults of the documentation', () => {
    expect(checkWith('command: test -f up')).toEqual({
      probe: { tag: 'command', command: 'test -f up' },
      interval: 2000,
      startInterval: 100,
      attemptTimeout: 30_000,
      totalTimeout: 0,
      retries: 3,
    });
  });

  it.each([
    ['url', 'url: "http://127.0.0.1:8080/up"', { probe: { tag: 'http', url: 'http://127.0.0.1:8080/up' } }],
    ['interval', 'command: x, interval: 500ms', { interval: 500 }],
    ['attempt_timeout', 'command: x, attempt_timeout: 1s', { attemptTimeout: 1000 }],
    ['total_timeout', 'command: x, total_timeout: 5m', { totalTimeout: 300_000 }],
    ['timeout, its alias', 'command: x, timeout: 5m', { totalTimeout: 300_000 }],
    ['retries', 'command: x, retries: 10', { retries: 10 }],
    ['after_ready', 'command: x, after_ready: 10s', { afterReady: 10_000 }],
    ['after_ready, as a word', 'command: x, after_ready: off', { afterReady: 'off' }],
    ['start_interval', 'command: x, start_interval: 1s', { startInterval: 1000 }],
  ])('takes %s', (_, fields, expected) => {
    expect(checkWith(fields)).toMatchObject(expected);
  });

  it.each([
    ['interval: 1s', 'ERR0213 health_check: needs command or url'],
    ['command: x, url: "http://a/"', 'ERR0222 health_check.url: command and url exclude each other'],
    [
      'command: x, timeout: 1s, total_timeout: 1s',
      'ERR0222 health_check.timeout: total_timeout and timeout exclude each other',
    ],
    ['url: "localhost:80"', 'ERR0213 health_check.url: "localhost:80" is not an http or https URL'],
    [
      'url: "http://localhost:70000/"',
      'ERR0213 health_check.url: "http://localhost:70000/" names port 70000, but ports go from 1 to 65535',
    ],
    ['url: "http://"', 'ERR0213 health_check.url: "http://" is not an http or https URL'],
    ['command: x, retries: 0', 'ERR0213 health_check.retries: 0 is not a whole number, 1 or more'],
    ['command: x, attempt_timeout: 0', 'ERR0210 health_check.attempt_timeout: 0 is not greater than zero'],
    ['command: x, after_ready: 0', 'ERR0210 health_check.after_ready: 0 is not greater than zero'],
    ['command: x, start_interval: 0', 'ERR0210 health_check.start_interval: 0 is not greater than zero'],
    [
      'command: x, total_timeout: soon',
      'ERR0210 health_check.total_timeout: "soon" is not a whole number with ms, s, m or h',
    ],
  ])('refuses %s', (fields, told) => {
    expect(wrong(fields)).toEqual([told]);
  });
});
