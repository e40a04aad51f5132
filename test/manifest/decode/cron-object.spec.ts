import { describe, expect, it } from 'vitest';
import { loadText, manifestOf, serviceWith, wrongWith } from '../loading.ts';

describe('the key cron', () => {
  it('cron makes a service scheduled; its zone is local by default', () => {
    expect(serviceWith('cron: { expression: "0 0 3 * * *" }')).toMatchObject({
      kind: 'cron',
      cron: { expression: '0 0 3 * * *', timezone: 'local' },
    });
  });

  it.each(['*/5 * * * *', '0 */5 * * * *', '0 3 * * MON-FRI', '0 0 * * 7', '0 0 1 JAN *'])(
    'cron accepts %s',
    (expression) => {
      expect(serviceWith(`cron: { expression: "${expression}" }`).cron?.expression).toBe(expression);
    },
  );

  it.each(['utc', 'local', 'Europe/Berlin'])('cron accepts the zone %s', (timezone) => {
    expect(serviceWith(`cron: { expression: "* * * * *", timezone: ${timezone} }`).cron?.timezone).toBe(
      timezone,
    );
  });

  it('cron accepts a timeout', () => {
    expect(serviceWith('cron: { expression: "* * * * *", timeout: 1h }').cron?.timeout).toBe(3_600_000);
  });

  it('cron accepts overlap, catch_up and jitter, and leaves out their defaults', () => {
    const all = 'overlap: queue, catch_up: once, jitter: 30s';
    const usual = 'overlap: skip, catch_up: none';
    expect(serviceWith(`cron: { expression: "* * * * *", ${all} }`).cron).toEqual({
      expression: '* * * * *',
      timezone: 'local',
      overlap: 'queue',
      catchUp: 'once',
      jitter: 30_000,
    });
    expect(serviceWith(`cron: { expression: "* * * * *", ${usual} }`).cron).toEqual({
      expression: '* * * * *',
      timezone: 'local',
    });
  });

  it.each([
    ['overlap: allow', /^ERR0213 cron\.overlap: /],
    ['catch_up: true', /^ERR0213 cron\.catch_up: /],
    ['jitter: 0', /^ERR0210 cron\.jitter: /],
  ])('cron refuses %s', (key, told) => {
    expect(wrongWith(`cron: { expression: "* * * * *", ${key} }`)).toEqual([expect.stringMatching(told)]);
  });

  it('cron refuses catch_up without a schedule', () => {
    expect(wrongWith('cron: { catch_up: once }')).toEqual([
      'ERR0213 cron.expression: the key "expression" is missing',
    ]);
  });

  it.each(['61 * * * *', '* * * *', '* * * * * * *', 'often'])(
    'cron refuses the expression %s at its place',
    (expression) => {
      const [problem] = loadText(manifestOf(`cron: { expression: "${expression}" }`)).problems;
      expect(problem).toMatchObject({
        code: 'ERR0221',
        path: 'services.web.cron.expression',
        line: 5,
        column: 25,
      });
    },
  );

  it('cron refuses an unknown zone', () => {
    const [told] = wrongWith('cron: { expression: "* * * * *", timezone: Mars/Olympus }');
    expect(told).toMatch(/^ERR0221 cron\.timezone: .*Mars\/Olympus/);
  });

  it('cron reports an expression and a zone that are both wrong', () => {
    const told = wrongWith('cron: { expression: "61 * * * *", timezone: Mars }');
    expect(told.map((line) => line.split(':', 1)[0])).toEqual([
      'ERR0221 cron.expression',
      'ERR0221 cron.timezone',
    ]);
  });

  it('cron requires an expression', () => {
    expect(wrongWith('cron: { timezone: utc }')).toEqual([
      'ERR0213 cron.expression: the key "expression" is missing',
    ]);
  });
});
