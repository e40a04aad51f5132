// The display name of a project is its manifest's, with a supervisor and without.
import { expect } from 'vitest';
import { steady } from '../support/recipes.ts';
import { scenario } from '../support/scenario.ts';
import { expectDone, started } from '../support/witnesses.ts';

scenario('a project keeps its display name without a supervisor', async (stage) => {
  await started(stage, {
    version: '2',
    projects: { shop: { name: 'The Shop', services: { web: steady() } } },
  });
  expectDone(await stage.sup('shutdown'));
  const { document } = await stage.status();
  expect(document.supervisor.running).toBe(false);
  expect(document.projects).toMatchObject([{ id: 'shop', name: 'The Shop' }]);
});
