// Status: the table as people see it, on terminals of several widths and in a pipe, and what it ends with.
import { describe, expect } from 'vitest';
import { eventually, holds } from '../support/eventually.ts';
import { shell, steady } from '../support/recipes.ts';
import { scenario } from '../support/scenario.ts';
import type { Json, Stage } from '../support/stage.ts';
import { onTerminal } from '../support/terminal.ts';
import { pass, expectDone, serviceIn, started } from '../support/witnesses.ts';

const manifest = (api: Json): Readonly<Record<string, Json>> => ({
  projects: {
    shop: {
      services: {
        'web-1': steady(),
        'web-2': steady(),
        api,
        job: shell('exit 4', { cron: { expression: '* * * * * *' } }),
      },
    },
    bank: { services: { 'web-3': steady(), bad: shell('echo oh no; exit 7', { restart_policy: 'never' }) } },
  },
});

/** What a plain `status` shows on a terminal, and how it ends. */
const shownAt = async (
  stage: Stage,
  columns: number,
  ...args: readonly string[]
): Promise<{ readonly lines: readonly string[]; readonly status: number }> => {
  const terminal = onTerminal(stage, stage.line('status', ...args), { columns, rows: 60 });
  try {
    const { status } = await terminal.ended();
    const lines = terminal.screen.lines();
    // Below the table stand reasons in full, however long.
    const table = lines.slice(2, lines.indexOf('', 2));
    expect(table.filter((line) => line.length > columns)).toEqual([]);
    return { lines, status };
  } finally {
    terminal.close();
  }
};

describe('the table of status', () => {
  scenario(
    'the table fits every terminal, marks pending restarts, and status exits with 1 for failures',
    async (stage) => {
      stage.declare(manifest(steady()));
      await stage.sup('start', '--daemonize');
      // Of `job` the witnesses need not agree: a run of it begins and ends while they are asked.
      await pass(stage, { 'shop/api': 'running', 'bank/bad': 'failed' });
      stage.declare(manifest(steady({ exec: ['sleep', '1001'] })));
      await stage.sup('start', '--daemonize', '-s', 'shop/web-1');
      await holds(
        'a failed run',
        async () => serviceIn((await stage.status()).document, 'shop/job').error !== null,
      );
      await holds(
        'a sample of the CPU, without which there is no such column',
        async () => serviceIn((await stage.status()).document, 'shop/web-1').cpu_percent !== null,
      );

      for (const [columns, heading] of [
        // The narrower the cells are at this moment, the more columns fit.
        [60, /^SERVICE +STATE +HEALTH +([A-Z]+ +)*REASON$/],
        [80, /^SERVICE +STATE +HEALTH .*CPU .*REASON$/],
        [200, /^SERVICE +STATE +HEALTH +PID +CPU +MEM +UPTIME +RESTARTS +LAST EXIT +REASON$/],
      ] as const) {
        const { lines } = await shownAt(stage, columns, 'shop/*');
        expect(lines).toContainEqual(expect.stringMatching(heading));
        expect(lines).toContainEqual(expect.stringMatching(/^api +running\* /));
        expect(lines).toContainEqual(expect.stringMatching(/^\* .*sup apply/));
      }
      // Each second it is not scheduled for a moment.
      const row = /^job +scheduled .* code 4, .* ago +next run in .*; last run failed: exited with 4/m;
      const plain = await eventually({
        what: 'the row of a cron service',
        look: async () => {
          const outcome = await stage.sup('status', 'shop/job');
          return row.test(outcome.stdout) ? outcome : undefined;
        },
        instead: () => stage.outcomes.at(-1)?.stdout,
      });
      expect(plain.status).toBe(1);

      const named = await stage.sup('status', 'web-*', 'shop/api', '-s', 'bank/bad', '--json');
      expect(named.status).toBe(1);
      const names = [...named.stdout.matchAll(/"name":"([a-z0-9-]+)","kind"/g)].map(([, name]) => name);
      expect(names.sort()).toEqual(['api', 'bad', 'web-1', 'web-2', 'web-3']);
      expectDone(await stage.sup('status', 'web-*'));
      expect((await stage.sup('status', '-p', 'shop', 'web-*')).stdout).not.toContain('web-3');
    },
  );

  scenario('the table has colours only on a terminal, and none if they are switched off', async (stage) => {
    await started(stage, { services: { web: steady() } });
    const raw = async (line: string): Promise<string> => {
      let text = '';
      const terminal = onTerminal(stage, line, { columns: 80, rows: 24, heard: (more) => (text += more) });
      await terminal.ended();
      terminal.close();
      return text;
    };
    // eslint-disable-next-line no-control-regex -- the escape codes themselves are under test
    const colored = /\u001b\[32mrunning/;
    expect(await raw(stage.line('status'))).toMatch(colored);
    expect(await raw(stage.line('status', '--no-color'))).not.toMatch(colored);
    expect(await raw(`env NO_COLOR=1 ${stage.line('status')}`)).toMatch(/web +running/);
    expect((await stage.sup('status')).stdout).toMatch(/web +running/);
  });
});
