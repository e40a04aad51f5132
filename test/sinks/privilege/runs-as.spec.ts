import { describe, expect, it } from 'vitest';
import { runsAs } from '../../../src/sinks/privilege/prepare-launch.ts';

const refusalOf = (changes: Partial<Parameters<typeof runsAs>[0]>): Promise<unknown> =>
  runsAs({ supplementaryGroups: [], ...changes }).then(
    () => 'taken',
    (error: unknown) => (error as { refusal: unknown }).refusal,
  );

describe('the user of a service', () => {
  it.each([
    ['user', { user: '4294967295', group: '65534' }],
    ['user', { user: '0004294967295', group: '65534' }],
    ['group', { user: '1', group: '4294967296' }],
    ['supplementary_groups', { supplementaryGroups: ['1', '4294967296'] }],
  ])('a user number that the kernel would take for another is refused: %s', async (key, changes) => {
    expect(await refusalOf(changes)).toMatchObject({ code: 'ERR0742', key });
  });

  it.each([
    ['user', { user: 'no-such-user' }],
    ['user', { user: '4242424' }],
    ['group', { group: 'no-such-group' }],
  ])('an unknown user name is refused for good: %s', async (key, changes) => {
    expect(await refusalOf(changes)).toMatchObject({ code: 'ERR0742', key, final: true });
  });

  it('the highest user number is accepted', async () => {
    expect(await refusalOf({ user: '4294967294', group: '4294967294' })).toBe('taken');
  });
});
