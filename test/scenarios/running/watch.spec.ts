// watch: files whose changes restart or signal a service.
import { describe, expect } from 'vitest';
import { holds } from '../support/eventually.ts';
import { linesCome, linesOf } from '../support/marks.ts';
import { killSupervisor } from '../support/own-death.ts';
import { loose, shell } from '../support/recipes.ts';
import { scenario } from '../support/scenario.ts';
import { agree, come, expectDone, started } from '../support/witnesses.ts';

const WRITES = 'trap "echo hup >>hups" HUP; echo up >>runs; while :; do sleep 0.05; done';

describe('watched files', () => {
  scenario('a storm of changes restarts once, after an adoption too, and names the file', async (stage) => {
    stage.write('app.txt', '0');
    stage.write('hup.txt', '0');
    // A storm is one if it makes no pause of this length.
    const web = shell(WRITES, { watch: { paths: ['app.txt'], debounce: '3s' } });
    const hup = shell(WRITES, { watch: { paths: ['hup.txt'], action: 'HUP' } });
    await started(stage, loose({ web, hup }));
    await linesCome(stage, 'runs', 2);
    await killSupervisor(stage);
    expectDone(await stage.sup('start', '--daemonize'));
    // No change is lost that comes right after the answer, before the kernel watches the files.
    stage.write('hup.txt', 'changed');
    for (let change = 1; change <= 20; change += 1) stage.write('app.txt', String(change));
    await linesCome(stage, 'runs', 3);
    await linesCome(stage, 'hups', 1);
    const after = await come(stage, { web: 'running', hup: 'running' });
    expect(after.web).toMatchObject({ run: 2, restarts_total: 0 });
    expect(after.hup.run).toBe(1);
    await holds('the stored event', async () =>
      /web watch \(.*app\.txt changed: restart\)/.test((await stage.sup('events', '--kind', 'watch')).stdout),
    );
    expect((await stage.sup('why', 'hup')).stdout).toContain('hup.txt changed: SIGHUP sent');
    expectDone(await stage.sup('stop', 'web'));
    stage.write('app.txt', 'later');
    await agree(stage, { web: 'stopped', hup: 'running' });
    expect(linesOf(stage, 'runs').length).toBe(3);
  });
});
