import { describe, expect, it } from 'vitest';
import { announcement } from '../../../src/cli/client/confirm-bulk-command.ts';
import { projectOf, serviceOf } from '../support/documents.ts';

describe('the announcement of a bulk command', () => {
  const loose = (name: string) => projectOf([serviceOf({ name })], '__loose__');
  const shop = projectOf([serviceOf({ name: 'web' }), serviceOf({ name: 'api', state: 'stopped' })]);

  it('the announcement has counts, with the loose services of all manifests together', () => {
    const projects = [shop, loose('a'), loose('b')];
    expect(announcement(projects, { command: 'stop', selection: {}, agreed: false })).toBe(
      'stopping 3 services: shop 1, loose services 2',
    );
    expect(announcement(projects, { command: 'restart', selection: {}, agreed: false })).toBe(
      'restarting 4 services: shop 2, loose services 2',
    );
  });

  it('the announcement leaves out services that a restart does not touch', () => {
    const job = (name: string, changes = {}) => serviceOf({ name, state: 'done', ...changes });
    const jobs = projectOf([job('a'), job('b', { awaits_restart: true }), job('c', { state: 'skipped' })]);
    expect(announcement([jobs], { command: 'restart', selection: {}, agreed: false })).toBe(
      'restarting 1 service: shop 1',
    );
  });

  it('there is no announcement if no service is affected', () => {
    expect(announcement([projectOf([])], { command: 'stop', selection: {}, agreed: false })).toBeUndefined();
  });
});
