import { describe, expect, it } from 'vitest';
import { blocksOf, isUnfolded } from '../../../src/cli/render/grouped-rows.ts';
import type { ShownService } from '../../../src/cli/render/service-columns.ts';
import { withGroups } from '../../../src/streams/views/group-document.ts';
import { projectOf, serviceOf } from '../support/documents.ts';

const [first, second] = ['web@1', 'web@2'].map((name) =>
  serviceOf({ name, cpu_percent: 1.5, rss_bytes: 100, restarts_total: 1 }),
);
const db = serviceOf({ name: 'db' });
const well = projectOf([db, first!, second!]);
const ill = projectOf([first!, serviceOf({ name: 'web@2', state: 'backoff', health: 'unknown' }), db]);

const rowsOf = (project: typeof well, unfolded = false): readonly ShownService[] =>
  blocksOf(project, unfolded).flat();

const texts = (project: typeof well, unfolded = false): readonly string[] =>
  rowsOf(project, unfolded).map(({ service, count = '' }) => `${service.name} ${service.state} ${count}`);

describe('the rows of a project', () => {
  it('a service with replicas is one row with counts and sums', () => {
    expect(texts(well)).toEqual(['db running ', 'web running 2/2']);
    expect(rowsOf(well)[1]?.service).toMatchObject({
      pid: null,
      cpu_percent: 3,
      rss_bytes: 200,
      restarts_total: 2,
    });
  });

  it('a failing instance, or a wish for more, unfolds the row', () => {
    expect(texts(ill)).toEqual(['web backoff 1/2', 'web@1 running ', 'web@2 backoff ', 'db running ']);
    expect(texts(well, true)).toHaveLength(4);
  });

  it('instances are listed one by one with -v, or if the command names one', () => {
    expect(isUnfolded({ verbose: true })).toBe(true);
    expect(isUnfolded({ verbose: false }, ['db', 'web@2'])).toBe(true);
    expect(isUnfolded({ verbose: false }, ['web'])).toBe(false);
  });

  it('a single instance is a row of its own', () => {
    expect(texts(projectOf([first!]))).toEqual(['web@1 running ']);
  });

  it('the document of a project has its groups, if it has any', () => {
    expect(withGroups(projectOf([db]))).not.toHaveProperty('groups');
    expect(withGroups(ill).groups).toEqual([
      {
        name: 'web',
        replicas: 2,
        ready: 1,
        state: 'backoff',
        health: 'unknown',
        instances: ['web@1', 'web@2'],
      },
    ]);
  });
});
