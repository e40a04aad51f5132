import { describe, expect, it } from 'vitest';
import { satisfies } from '../satisfying.ts';
import { loadText, manifestOf, serviceWith, wrongWith } from '../loading.ts';

describe('reload', () => {
  it.each([
    ['nginx -s reload', { tag: 'command', command: 'nginx -s reload' }],
    ['{ signal: HUP }', { tag: 'signal', signal: 'SIGHUP' }],
  ])('%s is read', (written, reload) => {
    expect(serviceWith(`reload: ${written}`).reload).toEqual(reload);
  });

  it.each(['15', 'true', '1.5'])('is refused as a command is: %s', (written) => {
    const text = manifestOf(`reload: ${written}`);
    expect(loadText(text).problems).toMatchObject([
      {
        ...{ code: 'ERR0213', path: 'services.web.reload', hint: 'put it in quotes' },
        message: `${written} is not a string`,
      },
    ]);
    expect(satisfies(text)).toBe(false);
    expect(wrongWith(`command: ${written}`)).toEqual([`ERR0213 command: ${written} is not a string`]);
  });

  it.each(['""', '{ signal: NOPE }', '{ sig: HUP }', '[HUP]'])('%s is refused', (written) => {
    expect(wrongWith(`reload: ${written}`).length).toBeGreaterThan(0);
  });
});
