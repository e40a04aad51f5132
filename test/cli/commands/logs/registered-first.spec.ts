import { describe, expect, it } from 'vitest';
import { registeredFirst, withoutForgotten } from '../../../../src/cli/commands/logs/past-services.ts';
import { projectId, serviceId } from '../../../../src/streams/domain/ids.ts';
import type { Selectable } from '../../../../src/streams/selection/match.ts';

const named = (project: string, name: string): Selectable => ({
  id: serviceId(projectId(project), name),
  name,
  project,
  manifest: '/sup.yaml',
});

describe('a bare name', () => {
  const registered = [named('__loose__', 's'), named('shop', 'db'), named('blog', 'db')];

  it('means the one registered service that has it', () => {
    expect(registeredFirst({ services: ['s', 'db', 'old', 's*', 'envq/s'] }, registered)).toEqual({
      services: ['__loose__/s', 'db', 'old', 's*', 'envq/s'],
    });
  });

  it('means one of the projects that are asked about', () => {
    const projects = [projectId('envq')];
    expect(registeredFirst({ projects, services: ['s'] }, registered)).toEqual({ projects, services: ['s'] });
    expect(registeredFirst({ projects: [projectId('shop')], services: ['db'] }, registered).services).toEqual(
      ['shop/db'],
    );
  });

  it('stays ambiguous among the registered, and among the forgotten where none is registered', () => {
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
