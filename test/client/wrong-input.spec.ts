// What a program in plain JavaScript may give by mistake. No supervisor runs: nothing is asked of one.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { ClientFailure, connect, type Sup } from '../../src/client/library.ts';

const directory = mkdtempSync(join(tmpdir(), 'sup-wrong-'));
afterAll(() => rmSync(directory, { recursive: true }));

/** The members as a program in plain JavaScript sees them. */
const plain = connect({ dataDir: directory }) as unknown as Readonly<
  Record<keyof Sup, (...given: readonly unknown[]) => Promise<unknown> & AsyncIterable<unknown>>
>;

const failureOf = async (promise: Promise<unknown>): Promise<ClientFailure['document']> => {
  const thrown: unknown = await promise.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (thrown instanceof ClientFailure) return thrown.document;
  throw new Error('it is no failure of the library', { cause: thrown });
};

const firstOf = async (feed: AsyncIterable<unknown>): Promise<unknown> => {
  for await (const value of feed) return value;
  return undefined;
};

describe('wrong input of a program', () => {
  it.each<[keyof Sup, string, ...unknown[]]>([
    ['stop', 'selection.services: "web" is not a list', { services: 'web' }],
    ['stop', 'selection.services: is empty', { services: [] }],
    ['stop', 'selection: "service" is not a known key', { service: 'web' }],
    ['status', 'selection: "web" is not an object', 'web'],
    ['why', 'selection.services.0: 5 is not a string', { services: [5] }],
    ['start', 'options.timeoutMs: -1 is no number of milliseconds', {}, { timeoutMs: -1 }],
    ['apply', 'options.timeoutMs: "1s" is no number of milliseconds', {}, { timeoutMs: '1s' }],
    ['plan', 'options: "timeout" is not a known key', {}, { timeout: 1 }],
    ['inspect', 'options.windowMs: null is no number of milliseconds', {}, { windowMs: NaN }],
    ['wait', 'options.for: "up" is none of running, healthy, done, stopped', {}, { for: 'up' }],
    ['config', 'options.profiles: "dev" is no list of texts', { profiles: 'dev' }],
    ['rollback', 'selection: is missing; {} means all services'],
    ['kill', 'selection.services: "--all" is no name of a service', { services: ['--all'] }],
    ['exec', 'service: nothing is not a string'],
    ['scale', 'counts: nothing is not an object'],
    ['forget', 'manifest: 5 is not a string', 5],
    ['events', 'options.last: -1 is no whole number from 0', {}, { last: -1 }],
    ['events', '"yesteryear" is neither a length of time nor a date', {}, { since: 'yesteryear' }],
  ])('%s rejects with ERR0200: %s', async (member, message, ...given) => {
    expect(await failureOf(plain[member](...given))).toMatchObject({ code: 'ERR0200', message });
  });

  it.each<[keyof Sup, string, ...unknown[]]>([
    ['logs$', 'options.grep: "x" is no regular expression', {}, { grep: 'x' }],
    ['logs$', 'selection.services: 1 is not a list', { services: 1 }],
    ['service$', 'name: 5 is not a string', 5],
  ])('the feed %s fails with ERR0200: %s', async (member, message, ...given) => {
    expect(await failureOf(firstOf(plain[member](...given)))).toMatchObject({ code: 'ERR0200', message });
  });

  it('connect throws ERR0200 for a wrong place', () => {
    const anyhow = connect as (place: unknown) => unknown;
    for (const place of [{ dataDir: 5 }, { datadir: '/srv/sup' }, { sys: 'yes' }])
      expect(() => anyhow(place)).toThrow(ClientFailure);
  });

  it('without a supervisor each command rejects with ERR0206, and questions are answered', async () => {
    const sup = connect({ dataDir: directory });
    const commands = [sup.start(), sup.stop(), sup.plan(), sup.scale({ web: 2 }), sup.wait()];
    const failures = await Promise.all(commands.map(failureOf));
    expect(new Set(failures.map(({ code }) => code))).toEqual(new Set(['ERR0206']));
    expect((await failureOf(sup.inspect({ services: ['web'] }))).code).toBe('ERR0202');
    expect(await sup.why()).toEqual({ schema: 'sup.why/1', supervised: false, services: [] });
    expect((await failureOf(sup.config({ manifest: join(directory, 'sup.yaml') }))).code).toBe('ERR0203');
  });
});
