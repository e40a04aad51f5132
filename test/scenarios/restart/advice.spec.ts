// After a manifest has changed, every text that says how the change is taken up names the command that bounces nothing else.
import { describe, expect } from 'vitest';
import { project, steady } from '../support/recipes.ts';
import { scenario } from '../support/scenario.ts';
import { agree, expectDone, expectFailed, started } from '../support/witnesses.ts';

describe('the advice after a change', () => {
  scenario(
    'each text advises sup apply after a change, and apply restarts only what changed',
    async (stage) => {
      await started(stage, project('shop', { same: steady(), web: steady(), old: steady() }));
      stage.declare(project('shop', { same: steady(), web: steady({ exec: ['sleep', '999'] }) }));
      const again = await stage.sup('start', '--daemonize');
      const texts = [
        again.stderr,
        (await stage.sup('status')).stdout,
        (await stage.sup('inspect', 'shop/web')).stdout,
        (await stage.sup('why', 'shop/web')).stdout,
      ];
      const undone = await stage.sup('reload', 'shop/web');
      expectFailed(undone, 'ERR0213');
      for (const text of [...texts, undone.stderr]) {
        expect(text).toContain('sup apply');
        expect(text).not.toMatch(/sup restart|restart to take|a restart takes/);
      }
      const before = await agree(stage, { 'shop/same': 'running', 'shop/web': 'running' });
      expectDone(await stage.sup('apply', 'shop/web'));
      const after = await agree(stage, { 'shop/same': 'running', 'shop/web': 'running' });
      expect(after['shop/same'].pid).toBe(before['shop/same'].pid);
      expect(stage.members('shop/web').map(({ command }) => command)).toEqual(['sleep 999']);
    },
  );
});
