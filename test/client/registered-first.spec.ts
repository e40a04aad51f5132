import { describe, expect, it } from 'vitest';
import { registeredFirst, withoutForgotten } from '../../src/client/past-services.ts';
import { projectId, serviceId } from '../../src/streams/domain/ids.ts';
import type { Selectable } from '../../src/streams/selection/match.ts';

const named = (project: string, name: string): Selectable => ({
  id: serviceId(projectId(project), name),
  name,
  project,
  manifest: '/sup.yaml',
});

describe('a bare name in sup logs', () => {
  const registered = [named('__loose__', 's'), named('shop', 'db'), named('blog', 'db')];

  it('a bare name means the only registered service with it', () => {
    expect(registeredFirst({ services: ['s', 'db', 'old', 's*', 'envq/s'] }, registered)).toEqual({
      services: ['__loose__/s', 'db', 'old', 's*', 'envq/s'],
    });
  });

  it('a bare name means one of the selected projects', () => {
    const projects = [projectId('envq')];
    expect(registeredFirst({ projects, services: ['s'] }, registered)).toEqual({ projects, services: ['s'] });
    expect(registeredFirst({ projects: [projectId('shop')], services: ['db'] }, registered).services).toEqual(
      ['shop/db'],
    );
  });

  it('a bare name is ambiguous among registered services, or among forgotten ones if none is registered', () => {
    const projects = ['shop', 'blog', 'gone'];
    expect(withoutForgotten({ code: 'ERR0006', name: 'db', projects }, registered)).toEqual({
      code: 'ERR0006',
      name: 'db',
      projects: ['shop', 'blog'],
    });
    expect(withoutForgotten({ code: 'ERR0006', name: 'x', projects }, registered)).toEqual({
      code: 'ERR0006',
      name: 'x',
      projects,
      forgotten: true,
    });
  });
});
