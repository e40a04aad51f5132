import { describe, expect, it } from 'vitest';
import { announcement } from '../../../src/cli/client/announce.ts';
import { projectOf, serviceOf } from '../support/documents.ts';

describe('what a bulk command will hit', () => {
  const loose = (name: string) => projectOf([serviceOf({ name })], '__loose__');
  const shop = projectOf([serviceOf({ name: 'web' }), serviceOf({ name: 'api', state: 'stopped' })]);

  it('is told with its counts, the loose services of all manifests as one', () => {
    const projects = [shop, loose('a'), loose('b')];
    expect(announcement(projects, { command: 'stop', selection: {}, agreed: false })).toBe(
      'stopping 3 services: shop 1, loose services 2',
    );
    expect(announcement(projects, { command: 'restart', selection: {}, agreed: false })).toBe(
      'restarting 4 services: shop 2, loose services 2',
    );
  });

  it('is nobody whom a restart of several leaves as he is', () => {
    const job = (name: string, changes = {}) => serviceOf({ name, state: 'done', ...changes });
    const jobs = projectOf([job('a'), job('b', { awaits_restart: true }), job('c', { state: 'skipped' })]);
    expect(announcement([jobs], { command: 'restart', selection: {}, agreed: false })).toBe(
      'restarting 1 service: shop 1',
    );
  });

  it('is nothing where nobody is hit', () => {
    expect(announcement([projectOf([])], { command: 'stop', selection: {}, agreed: false })).toBeUndefined();
  });
});
