import { describe, expect, it } from 'vitest';
import { pasted } from '../../../src/cli/render/pasteable-hints.ts';

describe('a command in a hint', () => {
  it.each([
    ['sup logs shop/web -n 50', 'sup logs --sys shop/web -n 50'],
    [
      'see it: sup why web; or end it: sup shutdown',
      'see it: sup why --sys web; or end it: sup shutdown --sys',
    ],
    ['sup start --sys -c x.yaml', 'sup start --sys -c x.yaml'],
    ['sup schema > s.json', 'sup schema > s.json'],
    ['the sup started it', 'the sup started it'],
    ['sup stop-all', 'sup stop-all'],
  ])('a command in a hint names the privileged supervisor if that was asked: %s', (hint, privileged) => {
    expect(pasted(hint, { sys: true })).toBe(privileged);
    expect(pasted(hint, { sys: false })).toBe(hint);
  });
});
