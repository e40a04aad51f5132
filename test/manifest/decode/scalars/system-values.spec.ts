import { describe, expect, it } from 'vitest';
import { loadText, manifestOf, serviceWith } from '../../loading.ts';

const errors = (fields: string): readonly string[] =>
  loadText(manifestOf(fields), { sys: true, uid: process.getuid?.() ?? 0 })
    .problems.filter(({ severity }) => severity === 'error')
    .map(({ code, path, message }) => `${code} ${path.replace('services.web.', '')}: ${message}`);

const RULE = 'is no number of an account: they go from 0 to 4294967294';

describe('a user or a group', () => {
  it.each(['app', '"0"', '4294967294', '"004294967294"', '"4294967295x"', '"-1"'])(
    'a user or a group may be %s',
    (user) => {
      expect(serviceWith(`user: ${user}`).privilege.user).toBe(user.replaceAll('"', ''));
    },
  );

  it.each([
    ['user: 4294967295', `ERR0213 user: 4294967295 ${RULE}`],
    ['user: 0xffffffff', `ERR0213 user: 0xffffffff ${RULE}`],
    ['user: 0o40000000000', `ERR0213 user: 0o40000000000 ${RULE}`],
    ['user: 4.294967296e9', `ERR0213 user: 4.294967296e9 ${RULE}`],
    ['user: -1', `ERR0213 user: -1 ${RULE}`],
    ['group: 1.5', `ERR0213 group: 1.5 ${RULE}`],
    ['group: "4294967296"', `ERR0213 group: "4294967296" ${RULE}`],
    ['group: "000004294967296"', `ERR0213 group: "000004294967296" ${RULE}`],
    ['group: 99999999999999999999999', `ERR0213 group: 99999999999999999999999 ${RULE}`],
    ['supplementary_groups: [1, 4294967296]', `ERR0213 supplementary_groups[1]: 4294967296 ${RULE}`],
    ['user: ${ID}\nenv: { vars: { ID: "4294967295" } }', `ERR0213 user: "4294967295" ${RULE}`],
  ])('a user or a group is refused: %s', (fields, told) => {
    expect(errors(fields)).toEqual([told]);
  });
});
