// What a page may change: with `--allow-actions` each action is asked for once, carried out and recorded with its
// origin; without it the page offers none, and the server refuses all.
import { describe, expect } from 'vitest';
import type { EventDocument } from '../../src/streams/wire/documents/event-document.ts';
import { project, steady } from '../scenarios/support/recipes.ts';
import type { Stage } from '../scenarios/support/stage.ts';
import { glance, serviceIn, servicesOf, started } from '../scenarios/support/witnesses.ts';
import { act, openService, reads, rowOf, sentence } from './support/elements.ts';
import { inBrowser } from './support/visit.ts';

const STACK = { db: steady(), web: steady({ depends_on: ['db'] }), worker: steady({ replicas: 2 }) };

/** The commands that the events name, with their origin. */
const commandsIn = async (stage: Stage): Promise<readonly (readonly [string | undefined, string])[]> =>
  (await stage.sup('events', '--kind', 'command', '--json')).stdout
    .split('\n')
    .filter((line) => line !== '')
    // `sup` prints documents, which the schemas describe.
    .map((line) => JSON.parse(line) as EventDocument)
    .map(({ origin, reason }) => [origin, (reason ?? '').split(' ')[0] ?? ''] as const);

describe('actions', () => {
  inBrowser(
    'restart, stop, start, scale and apply are carried out, and recorded with their origin',
    async (visit) => {
      const { stage } = visit;
      await started(stage, project('shop', STACK));
      const { page } = await visit.open('--allow-actions');
      await reads(sentence(page), /^4 running$/);
      const dialog = page.getByRole('dialog');
      const close = async (): Promise<void> => {
        await dialog.getByRole('button', { name: 'Close' }).click();
        await dialog.waitFor({ state: 'hidden' });
      };
      const runOf = async (name: string): Promise<number> => serviceIn(await glance(stage), name).run;

      await openService(page, 'web');
      await page.getByRole('button', { name: 'Restart', exact: true }).click();
      await dialog.getByRole('button', { name: 'Cancel' }).click();
      await dialog.waitFor({ state: 'hidden' });
      expect(await runOf('shop/web')).toBe(1);

      await act(page, 'Restart');
      await reads(dialog, /web/);
      await expect.poll(() => runOf('shop/web')).toBe(2);
      await reads(dialog, /restarted/);
      await close();
      await act(page, 'Stop');
      await reads(dialog, /stopped/);
      await close();
      await act(page, 'Start');
      await reads(dialog, /started/);
      await close();
      await page.keyboard.press('Escape');

      await rowOf(page, 'worker').getByRole('button', { name: 'worker' }).click();
      await openService(page, 'worker@1');
      await page.getByRole('button', { name: 'Scale', exact: true }).click();
      await dialog.getByRole('spinbutton').fill('3');
      await dialog.getByRole('button', { name: 'Scale', exact: true }).click();
      await dialog.getByRole('button', { name: 'Close' }).waitFor();
      await close();
      expect([...servicesOf(await glance(stage)).keys()]).toContain('shop/worker@3');
      await page.keyboard.press('Escape');

      stage.declare(
        project('shop', { ...STACK, web: steady({ exec: ['sleep', '2000'], depends_on: ['db'] }) }),
      );
      await page.getByRole('button', { name: /^Apply/ }).click();
      await reads(dialog, /shop\/web[^]*exec/);
      await dialog.getByRole('button', { name: 'Apply', exact: true }).click();
      await dialog.getByRole('button', { name: 'Close' }).waitFor();
      await close();
      await expect
        .poll(() => stage.members('shop/web').map(({ command }) => command))
        .toEqual(['sleep 2000']);

      // An event is stored up to 50 ms later.
      await expect
        .poll(() => commandsIn(stage))
        .toEqual(['restart', 'stop', 'start', 'scale', 'apply'].map((what) => ['dashboard', what]));
    },
  );

  inBrowser(
    'without --allow-actions the page has no button that changes something, and the server refuses',
    async (visit) => {
      const { stage } = visit;
      await started(stage, project('shop', STACK));
      const { page } = await visit.open();
      await reads(sentence(page), /^4 running$/);
      expect(await page.getByRole('button', { name: /^Apply/ }).count()).toBe(0);
      await openService(page, 'web');
      expect(await page.getByRole('button', { name: /^(Start|Stop|Restart|Scale)$/ }).count()).toBe(0);
      const answer = await page.evaluate<string>(`new Promise((settle) => {
      const socket = new WebSocket(location.origin.replace('http', 'ws') + '/socket');
      const action = { what: 'stop', services: ['shop/web'] };
      socket.onopen = () => socket.send(JSON.stringify({ id: 7, ask: 'act', action }));
      socket.onmessage = ({ data }) => JSON.parse(data).id === 7 && settle(data);
    })`);
      expect(JSON.parse(answer)).toMatchObject({ to: 'failed', error: { code: 'ERR0237' } });
      expect(serviceIn(await glance(stage), 'shop/web').state).toBe('running');
    },
  );
});
