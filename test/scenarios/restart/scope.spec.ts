// What a command without a name reaches: this directory's manifest, or every registered one, and when it asks first.
import { describe, expect } from 'vitest';
import { project, steady } from '../support/recipes.ts';
import { scenario } from '../support/scenario.ts';
import type { Stage } from '../support/stage.ts';
import { onTerminal } from '../support/terminal.ts';
import { agree, expectDone, expectFailed } from '../support/witnesses.ts';

const RUNNING = { 'shop/web': 'running', 'blog/web': 'running' } as const;

/** `shop` is declared in this directory, `blog` in another one. */
const both = async (stage: Stage): Promise<string> => {
  stage.declare(project('shop', { web: steady() }));
  const blog = stage.declare(project('blog', { web: steady() }), 'blog/sup.yaml');
  for (const file of ['sup.yaml', blog]) expectDone(await stage.sup('start', '--daemonize', '-c', file));
  return blog;
};

describe('a command without a name', () => {
  scenario(
    'apply and plan without a name mean this directory, and with --all every manifest, which they name',
    async (stage) => {
      const blog = await both(stage);
      const before = await agree(stage, RUNNING);
      const newer = { web: steady({ exec: ['sleep', '999'] }) };
      stage.declare(project('shop', newer));
      stage.declare(project('blog', newer), 'blog/sup.yaml');
      expect((await stage.sup('plan')).stdout).not.toContain('blog/web');
      expectDone(await stage.sup('apply'));
      const after = await agree(stage, RUNNING);
      expect(after['shop/web'].pid).not.toBe(before['shop/web'].pid);
      expect(after['blog/web']).toMatchObject({ pid: before['blog/web'].pid, awaits_restart: false });
      const all = await stage.sup('plan', '--all');
      expect(all.stdout).toContain('~ blog/web');
      expect(all.stderr).toContain('planning 2 registered manifests: ');
      expect(all.stderr).toContain(blog);
      expectFailed(await stage.sup('apply', '--all', '--here'), 'ERR0204', 2);
    },
  );

  scenario(
    'stop without a name asks on a terminal before it reaches beyond this directory, and not in a pipe',
    async (stage) => {
      await both(stage);
      const before = await agree(stage, RUNNING);
      const terminal = onTerminal(stage, stage.line('stop'), { columns: 120, rows: 24 });
      try {
        await terminal.shows(/Go on\? \[y\/N\]/);
        terminal.type('n');
        expect((await terminal.ended()).status).toBe(1);
      } finally {
        terminal.close();
      }
      const after = await agree(stage, RUNNING);
      expect(after['blog/web'].pid).toBe(before['blog/web'].pid);
      const agreed = onTerminal(stage, stage.line('stop', '--yes', '--quiet'), { columns: 120, rows: 24 });
      try {
        expect((await agreed.ended()).status).toBe(0);
        expect(agreed.screen.lines().join('\n')).not.toContain('Go on?');
      } finally {
        agreed.close();
      }
      await agree(stage, { 'shop/web': 'stopped', 'blog/web': 'stopped' });
      expectDone(await stage.sup('restart'));
      await agree(stage, RUNNING);
      expectDone(await stage.sup('stop'));
      await agree(stage, { 'shop/web': 'stopped', 'blog/web': 'stopped' });
    },
  );
});

describe('a bare name that two projects have', () => {
  scenario(
    'a bare name in two projects means the one of this directory; elsewhere it is refused',
    async (stage) => {
      await both(stage);
      const elsewhere = await stage.begin(['stop', 'web'], { directory: stage.root }).ended;
      expectFailed(elsewhere, 'ERR0006');
      expect(elsewhere.stderr).toMatch(/shop\/web.*blog\/web|blog\/web.*shop\/web/);
      await agree(stage, RUNNING);
      expectDone(await stage.sup('stop', 'web'));
      await agree(stage, { 'shop/web': 'stopped', 'blog/web': 'running' });
      expectDone(await stage.sup('start', '--here', '--daemonize'));
      expectDone(await stage.sup('stop', '-p', 'blog', 'web'));
      await agree(stage, { 'shop/web': 'running', 'blog/web': 'stopped' });
    },
  );
});
