// The machines that the files of ssh name.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { run } from '../../../../src/cli/command-line.ts';
import { hostsOffered } from '../../../../src/cli/commands/completion/host-names.ts';
import { fakeWorld } from '../../support/fake-world.ts';

const homeWith = (files: Readonly<Record<string, string>>): string => {
  const home = mkdtempSync(join(tmpdir(), 'sup-hosts-'));
  onTestFinished(() => rmSync(home, { recursive: true }));
  mkdirSync(join(home, '.ssh'));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(home, '.ssh', name), text);
  return home;
};

const CONFIG = `Host box web-*
  HostName 10.0.0.1
HOST=second "third" !not
  Hostname hidden
Host *
`;

const KNOWN = `# a comment
|1|abc=|def= ssh-ed25519 AAAA
box,10.0.0.1 ssh-ed25519 AAAA
[far.example]:2222 ssh-ed25519 AAAA
@cert-authority *.example ssh-ed25519 AAAA
*.pattern ssh-ed25519 AAAA
`;

it('names of Host lines come first, then recorded ones; no patterns, no hashes', () => {
  const HOME = homeWith({ config: CONFIG, known_hosts: KNOWN });
  expect(hostsOffered({ HOME })).toEqual([
    ...['box', 'second', 'third', '10.0.0.1', 'ssh://far.example:2222'],
  ]);
});

it('without files, and without a home, there are no names', () => {
  expect(hostsOffered({ HOME: homeWith({}) })).toEqual([]);
  expect(hostsOffered({})).toEqual([]);
});

it('sup completes --host with those that are not given yet', async () => {
  const HOME = homeWith({ config: 'Host one two\n' });
  const { world, out } = fakeWorld({ environment: { HOME, SUP_DATA_DIR: join(HOME, 'data') } });
  expect(await run(['__complete', 'status', '--host', 'one', '--host', ''], world)).toBe(0);
  expect(out()).toBe('two\n');
});
