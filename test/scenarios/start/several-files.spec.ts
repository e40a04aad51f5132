// A manifest of several files: the list is fixed when it is registered.
import { basename } from 'node:path';
import { expect } from 'vitest';
import { killSupervisor } from '../support/own-death.ts';
import { linesCome, linesOf } from '../support/marks.ts';
import { loose, shell } from '../support/recipes.ts';
import { scenario } from '../support/scenario.ts';
import { agree, expectDone } from '../support/witnesses.ts';

const web = shell('echo "$STAGE" >>told; exec sleep 1000', { env: { vars: { STAGE: 'base' } } });
const over = (stage: string): string => `services: { web: { env: { vars: { STAGE: ${stage} } } } }`;

scenario(
  'an override beside the manifest is registered with it, and apply and the next supervisor read it',
  async (stage) => {
    stage.declare(loose({ web }));
    stage.write('sup.override.yaml', over('mine'));
    expectDone(await stage.sup('start', '-d'));
    await linesCome(stage, 'told', 1);
    await killSupervisor(stage);
    stage.write('sup.override.yaml', over('changed'));
    expectDone(await stage.sup('start', '-d'));
    expectDone(await stage.sup('apply'));
    await linesCome(stage, 'told', 2);

    const prod = stage.write('prod.yaml', over('prod'));
    expectDone(await stage.sup('start', '-d', '-c', 'sup.yaml', '-c', prod));
    expectDone(await stage.sup('apply'));
    await linesCome(stage, 'told', 3);
    expect(linesOf(stage, 'told')).toEqual(['mine', 'changed', 'prod']);
    const { manifest_files: files } = (await stage.inspect('web')).services[0] ?? {};
    expect(files?.map((file) => basename(file))).toEqual(['sup.yaml', 'prod.yaml']);
    const again = await stage.sup('start', '-d');
    expect(again.stderr).toContain('sup.override.yaml is not read');
    await agree(stage, { web: 'running' });
  },
);
