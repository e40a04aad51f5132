import { describe, expect, it } from 'vitest';
import type { Selection } from '../../../../src/streams/domain/command.ts';
import { LOOSE, projectId, serviceId, type ProjectId } from '../../../../src/streams/domain/ids.ts';
import type { Service } from '../../../../src/streams/domain/service.ts';
import { freshService } from '../../../../src/streams/kernel/register.ts';
import { rosterOf } from '../../../../src/streams/kernel/roster.ts';
import { select } from '../../../../src/streams/kernel/requests/select.ts';
import { INITIAL_STATE } from '../../../../src/streams/kernel/state.ts';
import { specOf } from '../../../support/spec.ts';

const declared = (project: ProjectId, name: string, manifest: string): Service =>
  freshService(specOf(name, { id: serviceId(project, name), project, manifest }));
const [shop, blog] = [projectId('shop'), projectId('blog')];
const state = {
  ...INITIAL_STATE,
  roster: rosterOf([
    declared(shop, 'web', '/shop.yaml'),
    declared(shop, 'db', '/shop.yaml'),
    declared(blog, 'web', '/blog.yaml'),
    declared(LOOSE, 'mail', '/mail.yaml'),
  ]),
  projects: {
    [shop]: { id: shop, name: 'Shop', manifest: '/shop.yaml' },
    [blog]: { id: blog, name: 'Blog', manifest: '/blog.yaml' },
  },
};

describe('a selection', () => {
  it.each<[Selection, readonly string[]]>([
    [{}, ['shop/web', 'shop/db', 'blog/web', '__loose__/mail']],
    [{ project: 'shop' }, ['shop/web', 'shop/db']],
    [{ manifest: '/mail.yaml' }, ['__loose__/mail']],
    [{ service: 'db' }, ['shop/db']],
    [{ service: 'blog/web' }, ['blog/web']],
    [{ service: 'web', project: 'blog' }, ['blog/web']],
    [{ service: 'web', manifest: '/shop.yaml' }, ['shop/web']],
    [{ service: 'mail' }, ['__loose__/mail']],
    [{ manifest: '/none.yaml' }, []],
  ])('%j means %j', (selection, ids) => {
    expect(select(state, selection)).toEqual({ ok: true, ids });
  });

  it.each<[Selection, object]>([
    [{ service: 'web' }, { code: 'ERR0006', name: 'web', projects: ['shop', 'blog'] }],
    [
      { service: 'wbe' },
      { code: 'ERR0202', name: 'wbe', known: ['shop/web', 'shop/db', 'blog/web', 'mail'] },
    ],
    [
      { service: 'mail', project: 'shop' },
      { code: 'ERR0202', name: 'mail', known: ['shop/web', 'shop/db'] },
    ],
    [{ project: 'shpo' }, { code: 'ERR0202', name: 'shpo', known: ['shop', 'blog'] }],
    [{ service: 'blog/web', project: 'shop' }, { code: 'ERR0201' }],
    [{ project: 'shop', manifest: '/blog.yaml' }, { code: 'ERR0201' }],
    [{ project: 'toString' }, { code: 'ERR0202' }],
  ])('%j is refused: %j', (selection, error) => {
    expect(select(state, selection)).toMatchObject({ ok: false, error });
  });
});
