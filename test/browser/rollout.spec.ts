// A rollout in the page: each step while it is under way, and its end.
import { describe, expect } from 'vitest';
import { project } from '../scenarios/support/recipes.ts';
import { gated, inStep, openGates, rolloutOver } from '../scenarios/support/rollouts.ts';
import { expectDone, started } from '../scenarios/support/witnesses.ts';
import { openService, reads, rowOf, sentence, timeline } from './support/elements.ts';
import { inBrowser } from './support/visit.ts';

describe('a rollout', () => {
  inBrowser('a blue/green rollout is seen step by step', async ({ stage, open }) => {
    openGates(stage, 'starting', 'verifying', 'switching', 'confirming');
    await started(stage, project('shop', { web: gated() }));
    const { page } = await open();
    await reads(sentence(page), /^1 running$/);
    openGates(stage);
    const restart = stage.begin(['restart', 'web']);
    await inStep(stage, 'shop/web', 'starting');
    await openService(page, 'web');
    const account = page.getByRole('tabpanel');
    await reads(account, /starting/);
    openGates(stage, 'starting');
    await reads(account, /verifying/);
    openGates(stage, 'starting', 'verifying', 'switching', 'confirming');
    await rolloutOver(stage, 'shop/web');
    expectDone(await restart.ended);
    await reads(account, /done/);
    await page.keyboard.press('Escape');
    await expect.poll(() => timeline(page).innerText()).toMatch(/web/);
    await reads(rowOf(page, 'web'), /running/);
    await reads(sentence(page), /^1 running$/);
  });
});
