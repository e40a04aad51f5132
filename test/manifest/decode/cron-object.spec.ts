import { describe, expect, it } from 'vitest';
import { loadText, manifestOf, serviceWith, wrongWith } from '../loading.ts';

describe('cron', () => {
  it('makes a service a scheduled one; its zone is local', () => {
    expect(serviceWith('cron: { expression: "0 0 3 * * *" }')).toMatchObject({
      kind: 'cron',
      cron: { expression: '0 0 3 * * *', timezone: 'local' },
    });
  });

  it.each(['*/5 * * * *', '0 */5 * * * *', '0 3 * * MON-FRI', '0 0 * * 7', '0 0 1 JAN *'])(
    'takes %s',
    (expression) => {
      expect(serviceWith(`cron: { expression: "${expression}" }`).cron?.expression).toBe(expression);
    },
  );

  it.each(['utc', 'local', 'Europe/Berlin'])('takes the zone %s', (timezone) => {
    expect(serviceWith(`cron: { expression: "* * * * *", timezone: ${timezone} }`).cron?.timezone).toBe(
      timezone,
    );
  });

  it('takes a timeout', () => {
    expect(serviceWith('cron: { expression: "* * * * *", timeout: 1h }').cron?.timeout).toBe(3_600_000);
  });

  it.each(['61 * * * *', '* * * *', '* * * * * * *', 'often'])(
    'refuses the expression %s at its place',
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

  it('refuses a zone that nobody knows', () => {
    const [told] = wrongWith('cron: { expression: "* * * * *", timezone: Mars/Olympus }');
    expect(told).toMatch(/^ERR0221 cron\.timezone: .*Mars\/Olympus/);
  });

  it('tells of an expression and a zone that are both wrong', () => {
    const told = wrongWith('cron: { expression: "61 * * * *", timezone: Mars }');
    expect(told.map((line) => line.split(':', 1)[0])).toEqual([
      'ERR0221 cron.expression',
      'ERR0221 cron.timezone',
    ]);
  });

  it('needs an expression', () => {
    expect(wrongWith('cron: { timezone: utc }')).toEqual([
      'ERR0213 cron.expression: the key "expression" is missing',
    ]);
  });
});
