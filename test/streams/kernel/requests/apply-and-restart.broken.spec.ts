// One registered manifest does not load, and others do. It blocks only commands about its own services.
import { describe, expect, it } from 'vitest';
import type { Command, Selection } from '../../../../src/streams/domain/command.ts';
import type { LoadResult, Manifest, Problem } from '../../../../src/streams/domain/declared/manifest.ts';
import type { ServiceSpec } from '../../../../src/streams/domain/declared/spec.ts';
import { projectId, requestId, serviceId } from '../../../../src/streams/domain/ids.ts';
import { serviceAt } from '../../../../src/streams/kernel/service-table.ts';
import { kernel, type Kernel } from '../../../support/kernel.ts';
import { specOf } from '../../../support/spec.ts';

const SHOP = '/shop/sup.yaml';
const BLOG = '/blog/sup.yaml';
const broken: Problem = { code: 'ERR0210', severity: 'error', path: 'services.page.backoff', message: 'no' };

const web = (digest = 'old'): ServiceSpec => specOf('web', { manifest: SHOP, digest });
const page = (digest = 'old'): ServiceSpec =>
  specOf('page', {
    ...{ manifest: BLOG, digest, project: projectId('blog'), id: serviceId(projectId('blog'), 'page') },
  });
const manifestAt = (path: string, project: string, ...services: readonly ServiceSpec[]): Manifest => ({
  ...{ path, schema: 2, services },
  projects: [{ id: projectId(project), name: project, manifest: path }],
});
const shop = (digest?: string): LoadResult => ({
  path: SHOP,
  manifest: manifestAt(SHOP, 'shop', web(digest)),
  problems: [],
});
const blog = (digest?: string): LoadResult => ({
  path: BLOG,
  manifest: manifestAt(BLOG, 'blog', page(digest)),
  problems: [],
});
const brokenBlog: LoadResult = { path: BLOG, problems: [broken] };

const ask = (sup: Kernel, command: Command, ...loads: readonly LoadResult[]): void =>
  sup.post({ type: 'manifests-loaded', request: requestId(sup.ask(command)), loads });

const running = (): Kernel => {
  const sup = kernel();
  ask(sup, { type: 'start', selection: { manifest: SHOP } }, shop());
  ask(sup, { type: 'start', selection: { manifest: BLOG } }, blog());
  sup.up('web');
  sup.drain();
  return sup;
};

describe('a command beside a broken manifest', () => {
  it.each<[string, Selection]>([
    ['a service', { services: ['web'] }],
    ['a full name', { services: ['shop/web'] }],
    ['a pattern', { services: ['shop/*'] }],
    ['a project', { projects: ['shop'] }],
    ['a manifest', { manifest: SHOP }],
  ])('a command with selection by %s works beside a broken manifest and warns of it', (_, selection) => {
    const sup = running();
    ask(sup, { type: 'apply', selection }, shop('newer'), brokenBlog);
    expect(sup.tag('web')).toBe('stopping');
    sup.exit('web', 143);
    sup.up('web');
    const [reply] = sup.replies();
    expect(reply).toMatchObject({ ok: true, done: { outcomes: [{ service: 'shop/web' }] } });
    expect(JSON.stringify(reply)).toMatch(/sup validate -c \/blog\/sup.yaml; .*sup forget \/blog\/sup.yaml/);
    expect(sup.state().manifests[BLOG]).toEqual([broken]);
  });

  it.each<[string, Selection]>([
    ['a service', { services: ['page'] }],
    ['a pattern', { services: ['*'] }],
    ['a project', { projects: ['blog'] }],
    ['a manifest', { manifest: BLOG }],
    ['nothing', {}],
  ])(
    'a command with selection by %s is refused with its path if it means the broken manifest',
    (_, selection) => {
      for (const type of ['apply', 'restart', 'plan'] as const) {
        const sup = running();
        ask(sup, { type, selection }, shop('newer'), brokenBlog);
        expect(sup.tag('web')).toBe('up');
        expect(sup.replies()).toMatchObject([
          { ok: false, error: { code: 'ERR0301', manifests: [BLOG], problems: [broken] } },
        ]);
      }
    },
  );

  it('a command with a selection does not take changes of other manifests, also for their next run', () => {
    const sup = running();
    ask(sup, { type: 'apply', selection: { manifest: SHOP } }, shop('newer'), blog('newer'));
    expect(serviceAt(sup.state().serviceTable, page().id)).toMatchObject({ spec: { digest: 'old' } });
    expect(serviceAt(sup.state().serviceTable, page().id)?.revised).toBeUndefined();
    sup.exit('web', 143);
    sup.up('web');
    expect(sup.replies()).toMatchObject([{ ok: true, done: { outcomes: [{ service: 'shop/web' }] } }]);
    ask(sup, { type: 'plan', selection: {} }, shop('newer'), blog('newer'));
    expect(sup.replies().at(-1)).toMatchObject({
      done: { plan: { changes: [{ service: 'blog/page', action: 'change' }] } },
    });
  });
});
