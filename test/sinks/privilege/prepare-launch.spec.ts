import { describe, expect, it } from 'vitest';
import { prepare } from '../../../src/sinks/privilege/prepare-launch.ts';
import { specOf } from '../../support/spec.ts';

/** With capabilities of its own, as root. */
const outcomeOf = (schema: 2 | 3, isJudging: boolean, more: object = {}): Promise<unknown> =>
  prepare(
    specOf('web', {
      schema,
      privilege: { user: 'root', capabilities: [], supplementaryGroups: [] },
      ...more,
    }),
    { privileged: true, launcher: '/launcher.cjs', credentialsAt: '/run/c', isJudging: () => isJudging },
  ).then(
    () => 'prepared',
    (error: unknown) => (error as { refusal: unknown }).refusal,
  );

describe('a confined service that stays root where callers of the control socket cannot be identified', () => {
  it('a confined root service is refused under version 3 if callers cannot be identified', async () => {
    expect(await outcomeOf(3, false)).toMatchObject({ code: 'ERR0745', key: 'control' });
  });

  it('a confined root service is prepared under version 2, with control: true, and if callers can be identified', async () => {
    expect(await outcomeOf(2, false)).toBe('prepared');
    expect(await outcomeOf(3, false, { control: true })).toBe('prepared');
    expect(await outcomeOf(3, true)).toBe('prepared');
  });
});
