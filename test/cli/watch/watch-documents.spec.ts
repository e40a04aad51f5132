import { of } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { failedWith } from '../../../src/client/client-failure.ts';
import type { News } from '../../../src/cli/watch/news.ts';
import { documents } from '../../../src/cli/watch/watch-documents.ts';
import { projectOf, serviceOf } from '../support/documents.ts';
import { contextIn, fakeWorld, type Heard } from '../support/fake-world.ts';

const full = { full: true, projects: [projectOf([serviceOf(), serviceOf({ name: 'api' })])], gone: [] };
const less = { full: true, projects: [projectOf([serviceOf({ pid: 900 })])], gone: [] };
const hello = { protocol: 3, version: '0.1.0', pid: 5, since: '' };

const printed = (...news: readonly News[]): Heard => {
  const heard = fakeWorld();
  documents(of(...news), contextIn(heard, 'json')).subscribe();
  return heard;
};

describe('the live view into a pipe', () => {
  it('the live view in a pipe is one document per view, and everything else goes to standard error', () => {
    const heard = printed(
      { tag: 'found', hello, again: false },
      { tag: 'seen', view: full },
      { tag: 'lost', error: failedWith({ code: 'ERR0206', dataDir: '/data' }).document },
      { tag: 'found', hello, again: true },
      { tag: 'seen', view: less },
    );
    const lines = heard.out().trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
      { schema: 'sup.view/1', ...full },
      { schema: 'sup.view/1', ...less },
    ]);
    expect(heard.err()).toMatch(/^[^\n]*ERR0206[^\n]*\n[^\n]*connected again, supervisor pid 5\n$/);
  });

  it('the live view tells an upgrade from a failed one', () => {
    const done = printed({ tag: 'upgraded', hello: { ...hello, version: '0.2.0' } });
    expect(done.err()).toContain('the supervisor was upgraded: it is sup 0.2.0 now, pid 5 as before');
    const failed = printed({ tag: 'upgraded', hello: { ...hello, resumed: 'ERR0503 sup 0.3.0 failed' } });
    expect(failed.err()).toContain('ERR0503 sup 0.3.0');
    expect(failed.err()).not.toContain('was upgraded');
  });
});
