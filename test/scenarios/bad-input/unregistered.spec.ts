// Commands about registered manifests if none is registered: the name is unknown, and no other file is named.
import { describe, expect } from 'vitest';
import { loose, steady } from '../support/recipes.ts';
import { scenario } from '../support/scenario.ts';
import { errorOf } from '../support/witnesses.ts';

describe('without a registered manifest', () => {
  scenario(
    'without a registered manifest restart and apply refuse a name and start no supervisor',
    async (stage) => {
      stage.declare(loose({ web: steady() }));
      stage.declare(loose({ web: steady() }), 'other.yaml');
      for (const line of [
        ['apply', '-c', 'other.yaml'],
        ['restart', '-p', 'nope'],
        ['restart', 'web'],
      ])
        expect(errorOf(await stage.sup(...line, '--json')).code).toBe('ERR0202');
      for (const command of ['apply', 'restart'])
        expect(errorOf(await stage.sup(command, '--json'))).toMatchObject({
          code: 'ERR0203',
          message: 'no manifest is registered',
          hint: 'sup start',
        });
      expect((await stage.status()).status).toBe(3);
    },
  );
});
