import { describe, expect, it } from 'vitest';
import { whyLines } from '../../../../src/cli/render/page/why-page.ts';
import { paintOf } from '../../../../src/streams/views/words/paint.ts';
import { instant } from '../../../../src/streams/domain/time.ts';
import type { WhyDocument, WhyService } from '../../../../src/streams/wire/documents/why-document.ts';
import type { StateWord } from '../../../../src/streams/wire/documents/basic-documents.ts';

const AT = '2026-11-21T05:30:15.000Z';
const document: WhyDocument = {
  schema: 'sup.why/1',
  supervised: true,
  services: [
    {
      project: 'shop',
      service: 'web',
      state: 'casualty',
      health: 'unknown',
      chain: [
        {
          service: 'shop/web',
          state: 'casualty',
          since: AT,
          event: null,
          reason: 'fell with db',
          because_of: ['db'],
        },
        {
          service: 'shop/db',
          state: 'backoff',
          since: null,
          event: null,
          reason: 'exited with 3',
          because_of: [],
        },
      ],
      roots: [
        {
          service: 'shop/db',
          history: [
            {
              at: AT,
              from: 'running',
              to: 'backoff',
              cause: 'exited',
              reason: 'exited with 3 before it was ready',
            },
          ],
          printed: ['no disk'],
          advice: 'sup logs shop/db -n 50',
        },
      ],
      next: { at: null, text: 'restarts in 4 s' },
      actions: [],
    },
  ],
};
const look = { sys: false, now: instant(Date.parse(AT) + 1_000), columns: undefined };

describe('the page of why', () => {
  it('the page has the chain, the history of its root, the output and what comes next', () => {
    const lines = whyLines(document, { ...look, paint: paintOf(false) });
    expect(lines.slice(0, 5)).toEqual([
      'shop/web has been a casualty for 1 s (since 2026-11-21T05:30:15.000Z): fell with db',
      '  because shop/db is in backoff: exited with 3',
      '  what happened to shop/db',
      '    2026-11-21T05:30:15.000Z  running → backoff  exited with 3 before it was ready',
      '  what shop/db printed last',
    ]);
  });

  it('the page prints a common root cause once, and names the other services', () => {
    const [web] = document.services;
    if (web === undefined) throw new Error('no service');
    const victim = (service: string, state: StateWord): WhyService => ({
      ...web,
      service,
      state,
      chain: web.chain.map((step, index) =>
        index === 0 ? { ...step, service: `shop/${service}`, state } : step,
      ),
      actions: [{ command: 'sup restart shop/db', meaning: 'now' }],
    });
    const root: WhyService = { ...victim('db', 'backoff'), chain: web.chain.slice(1) };
    const services = [
      ...Array.from({ length: 12 }, (_, index) => victim(`web-${index}`, 'casualty')),
      victim('cron', 'waiting'),
      root,
    ];
    const lines = whyLines({ ...document, services }, { ...look, paint: paintOf(false) });
    expect(lines).toEqual([
      'shop/db is in backoff: exited with 3',
      '  also affected',
      `    casualty  ${Array.from({ length: 12 }, (_, index) => `shop/web-${index}`).join(', ')}`,
      '    waiting   shop/cron',
      '  what happened to shop/db',
      '    2026-11-21T05:30:15.000Z  running → backoff  exited with 3 before it was ready',
      '  what shop/db printed last',
      '    | no disk',
      '  advice  sup logs shop/db -n 50',
      '  next  restarts in 4 s',
      '  what you can do',
      '    sup restart shop/db  now',
    ]);
  });

  it('the page prints a root of services with more roots once, and each command once', () => {
    const [web] = document.services;
    const [root] = web?.roots ?? [];
    if (web === undefined || root === undefined) throw new Error('no service');
    const actions = [{ command: 'sup restart shop/db', meaning: 'now' }];
    const both: WhyService = {
      ...web,
      service: 'api',
      roots: [root, { ...root, service: 'shop/cache' }],
      actions,
    };
    const lines = whyLines(
      { ...document, services: [{ ...web, actions }, both] },
      { ...look, paint: paintOf(false) },
    );
    expect(lines.filter((line) => line.startsWith('  what happened to'))).toEqual([
      '  what happened to shop/db',
      '  what happened to shop/cache',
    ]);
    expect(lines.filter((line) => line.includes('sup restart'))).toHaveLength(1);
  });

  it('the page fits a narrow terminal, with and without colours', () => {
    const plain = whyLines(document, { ...look, columns: 48, paint: paintOf(false) });
    expect(plain.filter((line) => line.length > 50)).toEqual([]);
    const painted = whyLines(document, { ...look, columns: 48, paint: paintOf(true) });
    // eslint-disable-next-line no-control-regex -- what the paint writes
    expect(painted.map((line) => line.replace(/\u001b\[\d+m/g, ''))).toEqual(plain);
  });

  it('commands of the page mean the supervisor that was asked', () => {
    const lines = whyLines(document, { ...look, sys: true, paint: paintOf(false) });
    expect(lines).toContain('  advice  sup logs --sys shop/db -n 50');
  });
});
