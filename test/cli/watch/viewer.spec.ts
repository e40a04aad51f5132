import { describe, expect, it } from 'vitest';
import { failedWith } from '../../../src/client/client-failure.ts';
import { asDocuments, type Viewer } from '../../../src/cli/watch/viewer.ts';
import { projectOf, serviceOf } from '../support/documents.ts';
import { contextIn, fakeWorld } from '../support/fake-world.ts';

const full = { full: true, projects: [projectOf([serviceOf(), serviceOf({ name: 'api' })])], gone: [] };
const less = { full: true, projects: [projectOf([serviceOf({ pid: 900 })])], gone: [] };
const hello = { protocol: 3, version: '0.1.0', pid: 5, since: '' };

const play = (viewer: Viewer): void => {
  viewer.found(hello);
  viewer.see(full);
  viewer.lost(failedWith({ code: 'ERR0206', dataDir: '/data' }));
  viewer.found(hello);
  viewer.see(less);
  viewer.end();
};

describe('the live view into a pipe', () => {
  it('the live view in a pipe is one document per view, and everything else goes to standard error', () => {
    const heard = fakeWorld();
    play(asDocuments(contextIn(heard, 'json')));
    const lines = heard.out().trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
      { schema: 'sup.view/1', ...full },
      { schema: 'sup.view/1', ...less },
    ]);
    expect(heard.err()).toMatch(/ERR0206[^]*connected again/);
  });

  it('the live view tells an upgrade from a failed one', () => {
    const heard = fakeWorld();
    const viewer = asDocuments(contextIn(heard, 'json'));
    viewer.upgraded({ ...hello, version: '0.2.0' });
    expect(heard.err()).toContain('the supervisor was upgraded: it is sup 0.2.0 now, pid 5 as before');
    viewer.upgraded({ ...hello, resumed: 'ERR0503 sup 0.3.0 failed while it took over' });
    expect(heard.err()).toContain('ERR0503 sup 0.3.0');
    expect(heard.err().split('was upgraded')).toHaveLength(2);
  });
});
