import { describe, expect, it } from 'vitest';
import { applyView, changesIn, NOTHING, projectsOf } from '../../src/client/live-model.ts';
import { projectOf, serviceOf } from '../cli/support/documents.ts';

const full = { full: true, projects: [projectOf([serviceOf(), serviceOf({ name: 'api' })])], gone: [] };

describe('the live model', () => {
  it('the live model is what the first view says', () => {
    expect(projectsOf(applyView(NOTHING, full))).toEqual(full.projects);
  });

  it('the live model takes changes, keeps the rest, and drops removed services', () => {
    const failed = serviceOf({ state: 'failed' });
    const later = { full: false, projects: [projectOf([failed])], gone: ['shop/api'] };
    expect(projectsOf(applyView(applyView(NOTHING, full), later))).toEqual([projectOf([failed])]);
  });

  it('the live model drops an empty project', () => {
    const model = applyView(NOTHING, full);
    expect(
      projectsOf(applyView(model, { full: false, projects: [], gone: ['shop/api', 'shop/web'] })),
    ).toEqual([]);
  });

  it('the live model keeps the loose services of several manifests apart', () => {
    const of = (manifest: string, name: string) => ({
      ...projectOf([serviceOf({ name })], '__loose__'),
      manifest,
    });
    const projects = [of('/one.yaml', 'a'), of('/two.yaml', 'b')];
    const later = { full: false, projects: [of('/two.yaml', 'c')], gone: ['__loose__/b'] };
    const model = applyView(NOTHING, { full: true, projects, gone: [] });
    expect(projectsOf(model)).toEqual(projects);
    expect(projectsOf(applyView(model, later))).toEqual([of('/one.yaml', 'a'), of('/two.yaml', 'c')]);
  });

  it('the live model starts over with a full view', () => {
    const other = { full: true, projects: [projectOf([serviceOf()], 'bank')], gone: [] };
    expect(projectsOf(applyView(applyView(NOTHING, full), other))).toEqual(other.projects);
  });

  it('the live model reports changes of state, health and process only', () => {
    const model = applyView(NOTHING, full);
    const changed = serviceOf({ pid: 900 });
    const same = serviceOf({ name: 'api', restarts: 4 });
    expect(changesIn(model, { full: false, projects: [projectOf([changed, same])], gone: [] })).toEqual([
      { id: 'shop/web', service: changed, from: 'running' },
    ]);
  });
});
