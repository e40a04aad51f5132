import { expect, it } from 'vitest';
import { manifests } from '../../../../src/cli/commands/doctor/check-manifests.ts';

const wrong = (path: string, message: string) =>
  ({ code: 'ERR0213', severity: 'error', path, message }) as const;
const noted = { code: 'ERR0223', severity: 'warning', path: 'a', message: 'm' } as const;

it('manifests that load are counted, with or without warnings', () => {
  expect(
    manifests.judge([
      { path: '/a', problems: [] },
      { path: '/b', problems: [noted] },
    ]),
  ).toEqual([{ id: 'manifests', level: 'ok', says: 'manifests that load: 2' }]);
});

it('a manifest that does not load is a warning with its file and the remedy', () => {
  const gone = { code: 'ERR0203', severity: 'error', path: '', message: '"/a" cannot be read' } as const;
  expect(
    manifests.judge([
      { path: '/a', problems: [gone] },
      { path: '/b', problems: [] },
      { path: '/c', problems: [noted, wrong('services', 'x'), wrong('env', 'y')] },
    ]),
  ).toEqual([
    {
      id: 'manifest /a',
      level: 'warning',
      says: '/a does not load: ERR0203 "/a" cannot be read',
      mend: 'to see what is wrong: sup validate -c /a; to drop it: sup forget /a',
    },
    {
      id: 'manifest /c',
      level: 'warning',
      says: '/c does not load: ERR0213 services: x, and 1 more',
      mend: 'to see what is wrong: sup validate -c /c; to drop it: sup forget /c',
    },
  ]);
});
