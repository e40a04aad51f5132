import { describe, expect, it } from 'vitest';
import { foregroundOf } from '../../../../src/streams/views/errors/foreground.ts';

describe('a program that daemonizes', () => {
  it.each([
    ['nginx', "keep it in the foreground: nginx -g 'daemon off;'"],
    ['redis-server', 'keep it in the foreground: redis-server --daemonize no'],
    ['php-fpm8.2', 'keep it in the foreground: php-fpm --nodaemonize'],
    ['cron', 'keep it in the foreground: cron -f'],
    ['crond', 'keep it in the foreground: crond -f'],
    ['nginxlike', undefined],
    ['sleep', undefined],
  ])('a program that daemonizes as %s gets a foreground command: %s', (name, instead) => {
    expect(foregroundOf(name)).toBe(instead);
  });
});
