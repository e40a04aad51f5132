import { expect, it } from 'vitest';
import { profilesIn } from '../../src/os/choose-data-directory.ts';

it.each([
  [undefined, undefined],
  ['', []],
  ['dev', ['dev']],
  [' dev, debug,,dev ', ['dev', 'debug']],
])('SUP_PROFILES=%j chooses %j', (SUP_PROFILES, profiles) => {
  expect(profilesIn(SUP_PROFILES === undefined ? {} : { SUP_PROFILES })).toEqual(profiles);
});
