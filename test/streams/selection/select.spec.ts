import { describe, expect, it } from 'vitest';
import type { Selection } from '../../../src/streams/domain/command.ts';
import { LOOSE, projectId, serviceId, type ProjectId } from '../../../src/streams/domain/ids.ts';
import type { Selectable } from '../../../src/streams/selection/match.ts';
import { select, type Known } from '../../../src/streams/selection/select.ts';

const declared = (project: ProjectId, name: string, manifest: string): Selectable => ({
  id: serviceId(project, name),
  name,
  project,
  manifest,
});
const [shop, blog] = [projectId('shop'), projectId('blog')];
const known: Known = {
  services: [
    declared(shop, 'web', '/shop.yaml'),
    declared(shop, 'db', '/shop.yaml'),
    declared(shop, 'web-2', '/shop.yaml'),
    declared(blog, 'web', '/blog.yaml'),
    declared(LOOSE, 'mail', '/mail.yaml'),
  ],
  projects: [
    { id: shop, manifest: '/shop.yaml' },
    { id: blog, manifest: '/blog.yaml' },
  ],
  manifests: ['/shop.yaml', '/blog.yaml', '/mail.yaml', '/empty.yaml'],
};

const instances = ['web@1', 'web@2', 'web-api'].map((name) => declared(shop, name, '/shop.yaml'));

describe('a selection of instances', () => {
  it('the error about an unknown name lists the service of instances once', () => {
    const selected = select({ ...known, services: instances }, { services: ['wbe'] });
    expect(selected).toMatchObject({ ok: false, error: { known: ['shop/web', 'shop/web-api'] } });
  });

  it.each([
    ['web', 'shop/web@1 shop/web@2'],
    ['shop/web', 'shop/web@1 shop/web@2'],
    ['web@2', 'shop/web@2'],
    ['shop/web@2', 'shop/web@2'],
    ['w?b', 'shop/web@1 shop/web@2'],
    ['web@*', 'shop/web@1 shop/web@2'],
    ['web-*', 'shop/web-api'],
  ])('a selection of instances by %s', (name, ids) => {
    const found = select({ ...known, services: instances }, { services: [name] });
    expect(found.ok && found.ids.join(' ')).toBe(ids);
  });

  it('a selection of instances is unambiguous in one project only', () => {
    const services = [...instances, declared(blog, 'web', '/blog.yaml')];
    expect(select({ ...known, services }, { services: ['web'] })).toMatchObject({
      ok: false,
      error: { code: 'ERR0006', name: 'web' },
    });
  });
});

describe('a selection of services that have profiles', () => {
  const mail = { service: serviceId(shop, 'mail'), profiles: ['dev', 'test'], manifest: '/shop.yaml' };
  const web = { service: serviceId(shop, 'web'), profiles: ['dev'], manifest: '/shop.yaml' };
  const profiled = (): (typeof mail)[] => [web, mail];

  it.each<[Selection, object]>([
    [{ services: ['shop/mail'] }, { code: 'ERR0202', name: 'shop/mail', unchosen: mail }],
    [
      { services: ['mail'], projects: ['shop'] },
      { code: 'ERR0202', name: 'mail', unchosen: mail },
    ],
    [{ services: ['mail'], projects: ['blog'] }, { code: 'ERR0201' }],
    [{ services: ['shop/web', 'shop/m*'] }, { code: 'ERR0202', name: 'shop/m*', unchosen: mail }],
  ])('the selection %j with a service whose profiles are not chosen: %j', (selection, error) => {
    expect(select({ ...known, profiled }, selection)).toMatchObject({ ok: false, error });
  });

  it('a name of an existing service is not that of one whose profiles are not chosen', () => {
    expect(select({ ...known, profiled }, { services: ['mail'] })).toMatchObject({ ok: true });
  });
});

describe('a selection', () => {
  it.each<[Selection, readonly string[]]>([
    [{}, ['shop/web', 'shop/db', 'shop/web-2', 'blog/web', '__loose__/mail']],
    [{ projects: ['shop'] }, ['shop/web', 'shop/db', 'shop/web-2']],
    [{ projects: ['blog', 'shop'] }, ['shop/web', 'shop/db', 'shop/web-2', 'blog/web']],
    [{ manifest: '/mail.yaml' }, ['__loose__/mail']],
    [{ manifest: '/empty.yaml' }, []],
    [{ services: ['db'] }, ['shop/db']],
    [{ services: ['blog/web'] }, ['blog/web']],
    [{ services: ['mail', 'blog/web', 'db', 'db'] }, ['shop/db', 'blog/web', '__loose__/mail']],
    [{ services: ['web'], projects: ['blog'] }, ['blog/web']],
    [{ services: ['web'], manifest: '/shop.yaml' }, ['shop/web']],
    [{ services: ['mail'] }, ['__loose__/mail']],
    [{ services: ['web*'] }, ['shop/web', 'shop/web-2', 'blog/web']],
    [{ services: ['web*'], projects: ['shop'] }, ['shop/web', 'shop/web-2']],
    [{ services: ['shop/web-?'] }, ['shop/web-2']],
    [{ services: ['*/web'] }, ['shop/web', 'blog/web']],
    [{ services: ['shop/*', 'mail'] }, ['shop/web', 'shop/db', 'shop/web-2', '__loose__/mail']],
  ])('the selection %j means %j', (selection, ids) => {
    expect(select(known, selection)).toEqual({ ok: true, ids });
  });

  const ids = ['shop/web', 'shop/db', 'shop/web-2', 'blog/web', 'mail'];

  it.each<[Selection, object]>([
    [{ services: ['web'] }, { code: 'ERR0006', name: 'web', projects: ['shop', 'blog'] }],
    [{ services: ['db', 'wbe'] }, { code: 'ERR0202', name: 'wbe', known: ids }],
    [{ services: ['x*'] }, { code: 'ERR0202', name: 'x*', known: ids }],
    [{ services: ['shop'] }, { code: 'ERR0202', name: 'shop', isProject: true }],
    [{ services: ['mail'], projects: ['shop'] }, { code: 'ERR0201' }],
    [
      { services: ['wbe'], projects: ['shop'] },
      { code: 'ERR0202', known: ['shop/web', 'shop/db', 'shop/web-2'] },
    ],
    [{ projects: ['shop', 'shpo'] }, { code: 'ERR0202', name: 'shpo', known: ['shop', 'blog'] }],
    [{ services: ['blog/web'], projects: ['shop'] }, { code: 'ERR0201' }],
    [{ services: ['blog/*'], manifest: '/shop.yaml' }, { code: 'ERR0201' }],
    [{ projects: ['shop'], manifest: '/blog.yaml' }, { code: 'ERR0201' }],
    [{ services: ['web'], projects: ['shop'], manifest: '/blog.yaml' }, { code: 'ERR0201' }],
    [{ projects: ['toString'] }, { code: 'ERR0202' }],
    [{ manifest: '/none.yaml' }, { code: 'ERR0202', name: '/none.yaml', known: known.manifests }],
  ])('the selection %j is refused: %j', (selection, error) => {
    expect(select(known, selection)).toMatchObject({ ok: false, error });
  });
});
