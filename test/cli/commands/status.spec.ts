import { describe, expect, it } from 'vitest';
import { exitOf, printStatus } from '../../../src/cli/commands/status.ts';
import type { ServiceDocument } from '../../../src/streams/wire/documents/documents.ts';
import { projectOf, serviceOf, statusOf } from '../support/documents.ts';
import { contextIn, fakeWorld } from '../support/fake-world.ts';

const withService = (facts: Partial<ServiceDocument>): ReturnType<typeof statusOf> =>
  statusOf([projectOf([serviceOf(), serviceOf({ name: 'other', ...facts })])]);
const error = { code: 'ERR0112', message: 'alive', path: null, at: null, hint: null } as const;

describe('the exit status of status', () => {
  it.each([
    [0, 'running', {}],
    [0, 'waiting', { state: 'waiting', health: 'unknown' }],
    [0, 'stopped', { state: 'stopped', health: 'unknown' }],
    [0, 'skipped', { state: 'skipped', health: 'unknown' }],
    [1, 'in backoff', { state: 'backoff', health: 'unknown' }],
    [1, 'failed', { state: 'failed', health: 'unknown' }],
    [1, 'given up', { state: 'breaker-open', health: 'unknown' }],
    [1, 'felled', { state: 'casualty', health: 'unknown' }],
    [1, 'lost', { state: 'lost', health: 'unknown' }],
    [1, 'unhealthy', { health: 'unhealthy' }],
    [1, 'stopping in vain', { state: 'stopping', error }],
    [1, 'scheduled after a failed run', { kind: 'cron', state: 'scheduled', health: 'unknown', error }],
  ] as const)('status exits with %d if a service is %s', (status, _what, facts) => {
    expect(exitOf(withService(facts))).toBe(status);
  });

  it('status exits with 3 without a supervisor, whatever was recorded', () => {
    expect(exitOf(statusOf([projectOf([serviceOf({ state: 'failed' })])], { running: false }))).toBe(3);
  });

  it('status exits with 3 if the supervisor does not answer: the recorded state is shown', () => {
    expect(exitOf(statusOf([], { version: null }))).toBe(3);
  });
});

describe('the output of status', () => {
  it('status --json prints the document only; warnings go to standard error', async () => {
    const heard = fakeWorld();
    const document = statusOf([], { warnings: ['supervisor.xml is broken'] });
    await printStatus(contextIn(heard, 'json'), document);
    expect(JSON.parse(heard.out())).toEqual(document);
    expect(heard.err()).toBe('warning: supervisor.xml is broken\n');
  });

  it('status prints no escape codes into a pipe', async () => {
    const heard = fakeWorld();
    await printStatus(contextIn(heard), withService({ state: 'failed' }));
    expect(heard.out()).not.toContain('\u001b');
    expect(heard.out()).toContain('other    failed');
  });
});
