import { describe, expect, it } from 'vitest';
import { serviceWith, wrongWith } from '../../loading.ts';

describe('reload', () => {
  it.each([
    ['nginx -s reload', { tag: 'command', command: 'nginx -s reload' }],
    ['{ signal: HUP }', { tag: 'signal', signal: 'SIGHUP' }],
  ])('%s is read', (written, reload) => {
    expect(serviceWith(`reload: ${written}`).reload).toEqual(reload);
  });

  it.each(['""', '{ signal: NOPE }', '{ sig: HUP }', '[HUP]'])('%s is refused', (written) => {
    expect(wrongWith(`reload: ${written}`).length).toBeGreaterThan(0);
  });
});
