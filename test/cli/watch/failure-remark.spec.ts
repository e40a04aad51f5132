import { expect, it } from 'vitest';
import { failureRemark } from '../../../src/cli/watch/session.ts';
import { failure } from '../../../src/streams/views/errors/command-failure.ts';
import { idOf } from '../../support/spec.ts';

const exited = (name: string) =>
  ({ code: 'ERR0102', service: idOf(name), status: { tag: 'code', code: 3 }, evidence: [] }) as const;

it('a failed action shows the error of the service, and how many more there are', () => {
  const one = failureRemark('restart web', failure({ code: 'ERR0302', failures: [exited('web')] }));
  expect(one).toEqual({
    text: 'restart web: ERR0102 shop/web: exited with 3 before it was ready',
    ink: 'red',
    hint: 'sup logs shop/web -n 50',
  });
  const two = failure({ code: 'ERR0302', failures: [exited('web@1'), exited('web@2')] });
  expect(failureRemark('restart web', two).text).toBe(
    'restart web: ERR0102 shop/web@1: exited with 3 before it was ready, and 1 more',
  );
});
