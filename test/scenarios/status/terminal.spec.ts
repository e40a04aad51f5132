// Status on a terminal: the live view is played with keys, loses its supervisor, its size and its patience, and leaves
// the terminal as it was.
import { describe, expect } from 'vitest';
import { project, script, steady } from '../support/recipes.ts';
import { killSupervisor, supervisorPid } from '../support/own-death.ts';
import { scenario } from '../support/scenario.ts';
import type { Stage } from '../support/stage.ts';
import { onTerminal, type Size, type Terminal } from '../support/terminal.ts';
import { expectDone, started } from '../support/witnesses.ts';

/** Colours, a search for two lines, and sequences that a terminal must never get from a service. */
const PRINTED =
  "printf '\\033[31mhello\\033[0m from the talker\\n\\033]0;stolen\\007\\033[2Jan error\\nlast line\\n'";

const SHOP = project('shop', {
  api: steady(),
  web: script('until-told.sh', ['end'], { restart_policy: 'never' }),
  talker: { exec: ['sh', '-c', `${PRINTED}; exec sleep 1000`], stop_timeout: '1s' },
});

const expectLeft = async (terminal: Terminal, status: number): Promise<void> => {
  expect(await terminal.ended()).toEqual({ status, same: true });
  const { alternate, cursor, wraps } = terminal.screen;
  expect({ alternate, cursor, wraps }).toEqual({ alternate: false, cursor: true, wraps: true });
};

const watch = (stage: Stage, size: Size): Terminal =>
  onTerminal(stage, stage.line('status', '--watch'), size);

describe('the live view on a terminal', () => {
  scenario(
    'the live view handles keys, a resize and another supervisor, and restores the terminal',
    async (stage) => {
      await started(stage, SHOP);
      const heard: string[] = [];
      const terminal = watch(stage, { columns: 80, rows: 24, heard: (text) => heard.push(text) });
      try {
        await terminal.shows(/^3 services, 3 running, 0 in trouble {2}supervisor pid/);
        await terminal.shows(/^> shop\/api +running/);
        expect(terminal.screen.alternate).toBe(true);
        await terminal.fills(24);
        terminal.type('?');
        await terminal.shows(/PgUp/);
        terminal.type(' j');
        await terminal.shows(/^> shop\/web/);
        stage.write('end', '3');
        await terminal.shows(/^\d\d:\d\d:\d\d shop\/web (running|stopping) → failed/);
        terminal.type('\u001b[Fl');
        await terminal.shows(/^LOGS shop\/talker {2}following/);
        await terminal.shows(/hello from the talker$/);
        terminal.type('/ER\u007f\u007fer\r');
        await terminal.shows(/^LOGS .* "er": line 2 of 2$/);
        terminal.type('N');
        await terminal.shows(/^> \d\d:\d\d:\d\d hello from the talker$/);
        expect(heard.join('')).toContain('\u001b[31mhello');
        expect(heard.join('')).not.toMatch(/stolen|\[2J/);
        terminal.type('\u001b');
        await terminal.shows(/^LOGS shop\/talker {2}following$/);
        terminal.type('\u001b');
        await terminal.shows(/^EVENTS/);
        terminal.type('g/tlk');
        await terminal.shows(/^filter "tlk": 1 of 3$/);
        terminal.type('\r');
        await terminal.shows(/^> shop\/talker/);
        terminal.type('\r');
        await terminal.shows(/^shop\/talker has been running/);
        terminal.type('\u001b');
        await terminal.shows(/^EVENTS/);
        terminal.type('\u001b');
        await terminal.shows(/^ {2}shop\/api/);
        terminal.type('s');
        await terminal.shows(/^stop shop\/talker\? y: yes/);
        terminal.type('y');
        await terminal.shows(/^1 service stopped: shop\/talker/);
        await terminal.shows(/^> shop\/talker +stopped/);
        terminal.type('uy');
        await terminal.shows(/^1 service started: shop\/talker/);
        await terminal.shows(/^> shop\/talker +running/);
        expect(terminal.screen.overflows).toBe(0);
        terminal.type('x');
        terminal.resize(60, 16);
        await terminal.shows(/^3 services.*…$/);
        await terminal.shows(/^↑↓ select/);
        await killSupervisor(stage);
        await terminal.shows(/waiting for the superv/);
        expectDone(await stage.sup('start', '--daemonize', '-s', 'shop/api'));
        await terminal.shows(/connected again/);
        expect(terminal.screen.lines().filter((line) => line.length > 60)).toEqual([]);
        terminal.type('q');
        await expectLeft(terminal, 0);
      } finally {
        terminal.close();
      }
    },
  );

  scenario(
    'the live view restores the terminal on every other exit, and works without a known size',
    async (stage) => {
      await started(stage, SHOP);
      for (const [signal, status] of [
        ['SIGTERM', 0],
        ['SIGINT', 0],
        ['SIGHUP', 129],
      ] as const) {
        const terminal = watch(stage, { columns: 0, rows: 0 });
        await terminal.shows(/^> shop\/api +running/);
        await terminal.fills(24);
        process.kill(terminal.pid(), signal);
        await expectLeft(terminal, status);
        terminal.close();
      }
      const terminal = watch(stage, { columns: 200, rows: 50 });
      try {
        await terminal.shows(/^ {2}SERVICE .* RESTARTS +LAST EXIT +REASON$/);
        terminal.type('\u0003');
        await expectLeft(terminal, 0);
      } finally {
        terminal.close();
      }
      expect(await supervisorPid(stage)).toBeGreaterThan(0);
    },
  );

  scenario('the live view is refused on a terminal that cannot be drawn on', async (stage) => {
    await started(stage, SHOP);
    const line = `env TERM=dumb ${stage.line('status', '--watch')}`;
    const terminal = onTerminal(stage, line, { columns: 80, rows: 24 });
    try {
      await terminal.shows(/^ERR0200 this terminal cannot be drawn on \(TERM is dumb\)/);
      await terminal.shows(/sup status, or sup status --watch --json/);
      await expectLeft(terminal, 2);
    } finally {
      terminal.close();
    }
  });
});
