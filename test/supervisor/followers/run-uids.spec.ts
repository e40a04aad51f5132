import { expect, it } from 'vitest';
import type { Service } from '../../../src/streams/domain/service/service.ts';
import { RunUids } from '../../../src/supervisor/followers/run-uids.ts';
import { idOf } from '../../support/spec.ts';
import { serviceIn, STATES } from '../../support/states.ts';

const by = (uid: number): Service => ({
  ...serviceIn('up'),
  actual: { ...STATES.up, process: { ...STATES.up.process, uid } },
});

it('a user is known as long as a run of it lives', () => {
  const uids = new RunUids();
  uids.follow(idOf('web'), by(33));
  uids.follow(idOf('db'), by(33));
  uids.follow(idOf('web'), by(34));
  expect([33, 34, 35].map((uid) => uids.has(uid))).toEqual([true, true, false]);
  uids.follow(idOf('db'), serviceIn('down'));
  uids.follow(idOf('web'), by(34));
  expect([33, 34].map((uid) => uids.has(uid))).toEqual([false, true]);
  uids.follow(idOf('web'), undefined);
  expect(uids.has(34)).toBe(false);
});
