// Status: the live view, and how quickly the plain one comes with many services.
import { describe, expect } from 'vitest';
import { holds } from '../support/eventually.ts';
import { loose, script, steady } from '../support/recipes.ts';
import { scenario } from '../support/scenario.ts';
import { agree, expectDone, started } from '../support/witnesses.ts';

describe('status --watch', () => {
  scenario('into a pipe prints a line of each change, and one document a line with --json', async (stage) => {
    await started(stage, loose({ web: script('until-told.sh', ['end'], { restart_policy: 'never' }) }));
    const lines = stage.begin(['status', '--watch']);
    const documents = stage.begin(['status', '--watch', '--json']);
    await holds(
      'a first view of both',
      () => lines.stdout().includes('web') && documents.stdout().includes('"running"'),
    );
    stage.write('end', '3');
    await holds(
      'the change in both',
      () => lines.stdout().includes('failed') && documents.stdout().includes('"failed"'),
    );
    for (const line of documents.stdout().trimEnd().split('\n'))
      expect(() => JSON.parse(line) as unknown).not.toThrow();
    lines.child.kill('SIGINT');
    documents.child.kill('SIGINT');
    expect((await lines.ended).status).toBe(0);
    expect((await documents.ended).status).toBe(0);
  });
});

describe('a hundred and twenty services', () => {
  scenario('are told within 0.3 s', async (stage) => {
    const services = { a: steady(), b: steady(), c: steady() };
    stage.declare({
      projects: Object.fromEntries(Array.from({ length: 40 }, (_, n) => [`p${n}`, { services }])),
    });
    expectDone(await stage.sup('start', '--daemonize'));
    await stage.sup('status');
    const times = [];
    for (let round = 0; round < 3; round += 1) times.push((await stage.sup('status')).millis);
    expect(Math.min(...times)).toBeLessThan(300);
    await agree(stage, { 'p0/a': 'running', 'p39/c': 'running' });
  });
});
