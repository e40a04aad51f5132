// Runs `sup` with a program that stands in for ssh.
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { onTestFinished } from 'vitest';
import { run } from '../../../src/cli/command-line.ts';
import { fakeWorld } from '../support/fake-world.ts';

interface Ran {
  readonly status: number | undefined;
  readonly out: string;
  readonly err: string;
  /** Reads a file that the stand-in has written. */
  readonly file: (name: string) => string;
}

/** Runs `sup` with a program `ssh` of these lines; without one, there is no `ssh`. */
export const withSsh = (ssh: string | undefined, ...line: readonly string[]): Promise<Ran> =>
  withSshAndInput(ssh, '', line);

/** Runs `sup` in the same way, with this text as standard input. */
export const withSshAndInput = async (
  ssh: string | undefined,
  input: string,
  line: readonly string[],
): Promise<Ran> => {
  const directory = mkdtempSync(join(tmpdir(), 'sup-host-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  if (ssh !== undefined) {
    writeFileSync(join(directory, 'ssh'), `#!/bin/sh\ncd ${directory}\nprintf '%s\\n' "$@" >words\n${ssh}\n`);
    chmodSync(join(directory, 'ssh'), 0o755);
  }
  const PATH = ssh === undefined ? directory : `${directory}:/usr/bin:/bin`;
  const heard = fakeWorld({ environment: { PATH }, directory });
  const status = await run(line, { ...heard.world, input: () => Readable.from([Buffer.from(input)]) });
  const file = (name: string): string => readFileSync(join(directory, name), 'utf8');
  return { status, out: heard.out(), err: heard.err(), file };
};
