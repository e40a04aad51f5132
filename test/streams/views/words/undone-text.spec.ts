import { expect, it } from 'vitest';
import type { ServiceSpec } from '../../../../src/streams/domain/declared/spec.ts';
import { undoneText } from '../../../../src/streams/views/words/undone-text.ts';
import { specOf } from '../../../support/spec.ts';

const SOCKETS: Partial<ServiceSpec> = {
  sockets: [{ name: 'http', listen: { tag: 'tcp', host: '127.0.0.1', port: 80 }, backlog: 511 }],
};

it('each key that needs the C library is named with its services', () => {
  const limited = specOf('a', {
    ...SOCKETS,
    privilege: { supplementaryGroups: [], limits: { nofile: 100 } },
  });
  expect(undoneText([limited, specOf('b', SOCKETS), specOf('c')], false)).toBe(
    'limits.nofile (shop/a), sockets (shop/a, shop/b)',
  );
  const many = ['a', 'b', 'c', 'd', 'e'].map((name) => specOf(name, SOCKETS));
  expect(undoneText(many, false)).toBe('sockets (shop/a, shop/b, shop/c and 2 more)');
  expect(undoneText([specOf('c')], false)).toBeUndefined();
});
