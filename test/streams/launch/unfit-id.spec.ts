import { describe, expect, it } from 'vitest';
import { unfitId } from '../../../src/streams/launch/identity-steps.ts';
import { WEB } from './facts.ts';

const RULE = 'is not valid: users and groups have numbers from 0 to 4294967294';

describe('an id that the kernel would misread', () => {
  it('an id that fits is accepted', () => {
    expect(unfitId({ supplementary: [] })).toBeUndefined();
    expect(
      unfitId({ account: { ...WEB, uid: 4_294_967_294 }, gid: 0, supplementary: [4_294_967_294] }),
    ).toBeUndefined();
  });

  it.each([
    [{ account: { ...WEB, uid: 4_294_967_295 }, supplementary: [] }, 'user', `4294967295 ${RULE}`],
    [{ account: { ...WEB, groups: [34, -1] }, supplementary: [] }, 'user', `-1 ${RULE}`],
    [
      { account: { ...WEB, gid: Number.NaN }, supplementary: [] },
      'user',
      `an account without a number ${RULE}`,
    ],
    [{ gid: 4_294_967_296, supplementary: [] }, 'group', `4294967296 ${RULE}`],
    [{ supplementary: [4, 4_294_967_296] }, 'supplementary_groups', `4294967296 ${RULE}`],
  ])('an id that does not fit is reported with its key: %o', (who, key, detail) => {
    expect(unfitId(who)).toEqual({ key, detail });
  });
});
