import { expect, it } from 'vitest';
import {
  dataDirectory,
  type DirectoryFacts,
} from '../../../../src/cli/commands/doctor/check-data-directory.ts';

const GOOD: DirectoryFacts = { path: '/d', realPath: '/d', owner: 1000, uid: 1000, open: [] };

it.each<[Partial<DirectoryFacts>, string]>([
  [{}, 'ok: /d'],
  [{ realPath: '/e' }, 'ok: /d, which is /e'],
  [{ realPath: undefined }, 'ok: /d is not there yet; it is made with the first supervisor'],
  [{ open: ['/d (0755)'] }, 'warning: others may look into /d (0755)'],
  [{ open: ['1', '2', '3', '4', '5'] }, 'warning: others may look into 1, 2, 3 and 2 more'],
  [{ owner: 0 }, 'problem: /d belongs to user 0, and this is user 1000'],
  [{ unwritable: 'EROFS' }, 'problem: /d cannot be written: EROFS'],
  [{ misplaced: ['/d/logs is no directory'] }, 'problem: /d/logs is no directory'],
  [{ socketless: '/tmp/sup-7 cannot be used' }, 'problem: /tmp/sup-7 cannot be used'],
  [{ refused: 'EACCES' }, 'problem: /d cannot be looked into: EACCES'],
  [{ strange: 'it has mode 0777', realPath: undefined }, 'problem: /d: it has mode 0777'],
])('the finding of a data directory: %o', (facts, says) => {
  const [finding] = dataDirectory.judge({ ...GOOD, ...facts });
  expect(`${finding?.level}: ${finding?.says}`).toBe(says);
});
