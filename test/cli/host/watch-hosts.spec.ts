// `sup status --watch` of several machines on a terminal, with a program that stands in for ssh.
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { run } from '../../../src/cli/command-line.ts';
import { DIAL } from '../../../src/client/host/dial-frames.ts';
import { projectOf, serviceOf } from '../support/documents.ts';
import { fakeWorld } from '../support/fake-world.ts';

const frame = (document: object): string =>
  JSON.stringify({ tag: 'out', text: `${JSON.stringify(document)}\n` });

const view = (name: string): string =>
  frame({ schema: 'sup.view/1', full: true, projects: [projectOf([serviceOf({ name })])], gone: [] });

const SSH = `#!/bin/sh
case "$*" in *"-- dead sup"*) echo refused >&2; exit 255 ;; esac
echo '${JSON.stringify({ dial: DIAL, version: '9.9.9' })}'
read -r asked
case "$*" in
*"-- odd sup"*) printf '%s\\n' '${frame({ schema: 'sup.view/1', full: true, projects: [{ services: [7] }], gone: [] })}' ;;
*) printf '%s\\n' '${view('api')}' ;;
esac
while read -r more; do case $more in *interrupt*) echo '{"tag":"exit","status":0}'; exit ;; esac; done
`;

it('one failing machine and one with an unknown document hide no other; q ends the view', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'sup-watch-hosts-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  writeFileSync(join(directory, 'ssh'), SSH);
  chmodSync(join(directory, 'ssh'), 0o755);
  const environment = { PATH: `${directory}:/usr/bin:/bin`, NO_COLOR: '1' };
  const { world, out } = fakeWorld({ environment, terminal: { columns: 100, rows: 12 } });
  let type: (text: string) => void = () => undefined;
  const onTyped = (listener: (text: string) => void): (() => void) => {
    type = listener;
    return () => undefined;
  };
  const line = ['status', '--watch', ...['good', 'dead', 'odd'].flatMap((host) => ['--host', host])];
  const ended = run(line, { ...world, keyboard: { ...world.keyboard, onTyped } });
  const expected = [/dead {2}ERR0231 /, /odd {3}ERR0234 /, /good {2}shop\/api +running/];
  await expect.poll(() => expected.filter((line) => !line.test(out()))).toEqual([]);
  type('q');
  expect(await ended).toBe(0);
  // The terminal is given back.
  expect(out().endsWith('\u001b[?1049l')).toBe(true);
});

it('a terminal that cannot be drawn on is refused before ssh is started', async () => {
  const environment = { TERM: 'dumb' };
  const { world, err } = fakeWorld({ environment, terminal: { columns: 80, rows: 24 } });
  expect(await run(['status', '--watch', '--host', 'a', '--host', 'b'], world)).toBe(2);
  expect(err()).toContain('ERR0200 this terminal cannot be drawn on');
});
