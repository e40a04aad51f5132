import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { projectId, serviceId } from '../../../../src/streams/domain/ids.ts';
import { maskedPlan, maskedText, maskedWords } from '../../../../src/streams/views/words/masked-text.ts';

describe('a masked command line', () => {
  it.each([
    ['psql postgres://shop:s3cret@db:5432/shop', 'psql postgres://shop:***@db:5432/shop'],
    ['curl https://a:b:c@x@host/p?u=1@2', 'curl https://a:***@host/p?u=1@2'],
    ['["curl","redis://:pw@cache"]', '["curl","redis://:***@cache"]'],
    ['tool --password=s3cret -v', 'tool --password=*** -v'],
    ['tool --db-password s3cret -v', 'tool --db-password *** -v'],
    ["tool --token 'two words' -v", 'tool --token *** -v'],
    ['["tool","--api-key","two \\"words\\"","-v"]', '["tool","--api-key","***","-v"]'],
    ['["tool","--secret=two","-v"]', '["tool","--secret=***","-v"]'],
    ['GET https://host/p?page=1&api_key=s3cret#top', 'GET https://host/p?page=1&api_key=***#top'],
    ['PGPASSWORD=s3cret psql; X=1', 'PGPASSWORD=*** psql; X=1'],
    ["DB_PASSWORD='two words' app", 'DB_PASSWORD=*** app'],
    ['curl -fu admin -u admin:s3cret http://x', 'curl -fu admin -u admin:*** http://x'],
    ['curl -H "Authorization: Bearer s3cret" http://x', 'curl -H "Authorization: Bearer ***" http://x'],
  ])('a masked command line hides the secret of %s', (text, masked) => {
    expect(maskedText(text)).toBe(masked);
  });

  it.each([
    'tool --port 80',
    'curl http://127.0.0.1:8080/health',
    'cat password secret',
    'ls --tokenize x',
    'DB_PASSWORD=$PW app',
    'date -u +%H:%M',
  ])('a masked command line is %s unchanged if it has no secret', (text) => {
    expect(maskedText(text)).toBe(text);
  });
});

it('a masked plan has the names of variables and none of their values', () => {
  fc.assert(
    fc.property(fc.string({ minLength: 4 }), (secret) => {
      const keys = [
        { key: 'env.vars.TOKEN', from: secret, to: `${secret}2` },
        { key: 'env.vars.NEW', to: secret },
        { key: 'env.vars.OLD', from: secret },
        { key: 'restart_policy', from: 'never', to: 'always' },
      ];
      const change = {
        service: serviceId(projectId('shop'), 'web'),
        action: 'change',
        strategy: 'immediate',
        keys,
      } as const;
      expect(maskedPlan({ changes: [change] }).changes[0]?.keys).toEqual([
        { key: 'env.vars.TOKEN', from: '***', to: '***' },
        { key: 'env.vars.NEW', to: '***' },
        { key: 'env.vars.OLD', from: '***' },
        { key: 'restart_policy', from: 'never', to: 'always' },
      ]);
    }),
  );
});

it('masked words hide the word after an option for a secret', () => {
  const words = ['tool', '--password', 'x y', '-u', 'me:s3cret', '--key-token=x', 'sh -c "--secret z"'];
  const masked = ['tool', '--password', '***', '-u', 'me:***', '--key-token=***', 'sh -c "--secret ***'];
  expect(maskedWords(words)).toEqual([...masked.slice(0, -1), 'sh -c "--secret ***"']);
});
