// The library on another machine, with a program that stands in for ssh: what is refused before ssh is started,
// and which command lines are carried out there.
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ClientFailure, connect, type Sup } from '../../../src/client/library.ts';
import { DIAL, type RunRequest } from '../../../src/client/host/dial-frames.ts';

const PATH = process.env['PATH'];
let directory: string;

/** Puts a program `ssh` into PATH that greets, keeps what it is asked, and goes on with these lines. */
const withSsh = (...then: readonly string[]): void => {
  const greeting = JSON.stringify({ dial: DIAL, version: '9.9.9' });
  const lines = [
    '#!/bin/sh',
    `echo '${greeting}'`,
    'read -r asked',
    `printf %s "$asked" >${directory}/asked`,
  ];
  writeFileSync(join(directory, 'ssh'), [...lines, ...then, ''].join('\n'));
  chmodSync(join(directory, 'ssh'), 0o755);
};

const printing = (document: object): string => {
  const frames = [
    { tag: 'out', text: `${JSON.stringify(document)}\n` },
    { tag: 'exit', status: 0 },
  ];
  return frames.map((frame) => `printf '%s\\n' '${JSON.stringify(frame)}'`).join('; ');
};

const asked = (): readonly string[] =>
  (JSON.parse(readFileSync(join(directory, 'asked'), 'utf8')) as RunRequest).line;

const failureOf = async (promise: Promise<unknown>): Promise<ClientFailure['document']> => {
  const thrown: unknown = await promise.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (thrown instanceof ClientFailure) return thrown.document;
  throw new Error('it is no failure of the library', { cause: thrown });
};

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'sup-host-client-'));
  process.env['PATH'] = `${directory}:${PATH ?? ''}`;
});
afterEach(() => {
  process.env['PATH'] = PATH;
  rmSync(directory, { recursive: true });
});

describe('the library on another machine', () => {
  it.each(['ssh://', '-oProxyCommand=x', 'a b'])('connect throws ERR0200 for the host "%s"', (host) => {
    expect(() => connect({ host })).toThrow(`options.host: "${host}" names no machine`);
    expect(() => connect({ host })).toThrow(ClientFailure);
  });

  it.each<[keyof Sup, string, ...unknown[]]>([
    ['status', 'selection.services: "web" is not a list', { services: 'web' }],
    ['why', 'selection.services: "--all" is no name of a service', { services: ['--all'] }],
    ['kill', 'selection: is missing; {} means all services'],
    ['reload', 'options.timeoutMs: -1 is no number of milliseconds', {}, { timeoutMs: -1 }],
    ['wait', 'options.for: "up" is none of running, healthy, done, stopped', {}, { for: 'up' }],
    ['events', 'options.last: -1 is no whole number from 0', {}, { last: -1 }],
    [
      'stop',
      'selection.manifest: "sup.yaml" is not an absolute path, as that of another machine must be',
      { manifest: 'sup.yaml' },
    ],
    ['config', 'options.manifest: is missing; options.files are read after it', { files: ['/b.yaml'] }],
  ])('%s refuses before ssh is started: %s', async (member, message, ...given) => {
    withSsh('exit 255');
    const plain = connect({ host: 'box' }) as unknown as Readonly<
      Record<string, (...given: readonly unknown[]) => Promise<unknown>>
    >;
    expect(await failureOf(plain[member]?.(...given) ?? Promise.resolve())).toMatchObject({
      ...{ code: 'ERR0200', message },
    });
    expect(existsSync(join(directory, 'asked'))).toBe(false);
  });

  it('a manifest is read there as it is registered, unless files are given', async () => {
    withSsh(printing({ schema: 'sup.problems/1' }));
    await connect({ host: 'box' }).validate({ manifest: '/srv/sup.yaml', profiles: ['dev'] });
    expect(asked()).toEqual(['validate', '/srv/sup.yaml', '--profile=dev', '--json']);
    await connect({ host: 'box' }).validate({ manifest: '/srv/sup.yaml', files: ['/srv/b.yaml'] });
    expect(asked()).toEqual(['validate', '--config=/srv/sup.yaml', '--config=/srv/b.yaml', '--json']);
  });

  it('a long limit of a wait is a length that the command line takes', async () => {
    withSsh(printing({ schema: 'sup.wait/1' }));
    await connect({ host: 'box' }).wait({ services: ['web'] }, { timeoutMs: 3_600_000 });
    expect(asked()).toEqual(['wait', 'web', '--timeout=3600s', '--json']);
  });

  it.each(['kill', 'reload'] as const)('%s rejects with ERR0111 after its limit', async (member) => {
    withSsh('exec sleep 60');
    const began = performance.now();
    const failure = await failureOf(
      connect({ host: 'box' })[member]({ services: ['web'] }, { timeoutMs: 200 }),
    );
    expect(failure).toMatchObject({ code: 'ERR0111' });
    expect(performance.now() - began).toBeLessThan(10_000);
  });
});
