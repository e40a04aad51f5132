// Status: the live view, and how quickly the plain one comes with many services.
import { describe, expect } from 'vitest';
import type { View } from '../../../src/streams/wire/protocol.ts';
import { holds } from '../support/eventually.ts';
import { loose, script, steady } from '../support/recipes.ts';
import { expectSchema } from '../support/schemas.ts';
import { scenario } from '../support/scenario.ts';
import { agree, expectDone, started } from '../support/witnesses.ts';

describe('status --watch', () => {
  scenario(
    'status --watch prints one document a line into a pipe, with and without --json',
    async (stage) => {
      await started(stage, loose({ web: script('until-told.sh', ['end'], { restart_policy: 'never' }) }));
      const plain = stage.begin(['status', '--watch']);
      const documents = stage.begin(['status', '--watch', '--json']);
      await holds(
        'a first view of both',
        () => plain.stdout().includes('"running"') && documents.stdout().includes('"running"'),
      );
      stage.write('end', '3');
      await holds('the change in both', () =>
        [plain, documents].every(({ stdout }) => /"failed".*\n/.test(stdout())),
      );
      for (const { stdout } of [plain, documents])
        for (const line of stdout().split('\n').slice(0, -1)) expectSchema(JSON.parse(line) as View);
      plain.child.kill('SIGINT');
      documents.child.kill('SIGINT');
      expect((await plain.ended).status).toBe(0);
      expect((await documents.ended).status).toBe(0);
    },
  );
});

describe('a hundred and twenty services', () => {
  scenario('status shows a hundred and twenty services in both forms', async (stage) => {
    const services = { a: steady(), b: steady(), c: steady() };
    stage.declare({
      projects: Object.fromEntries(Array.from({ length: 40 }, (_, n) => [`p${n}`, { services }])),
    });
    expectDone(await stage.sup('start', '--daemonize'));
    const told = await stage.sup('status');
    expectDone(told);
    expect(told.stdout.split('\n').filter((line) => /^ *(p\d+\/)?[abc] +running\b/.test(line))).toHaveLength(
      120,
    );
    await agree(stage, { 'p0/a': 'running', 'p39/c': 'running' });
  });
});
