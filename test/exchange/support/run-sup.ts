// Runs the built `sup` with a data directory of its own, to compare it with another program.
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import type { StatusDocument } from '../../../src/streams/wire/documents/documents.ts';

export interface Ran {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

const PROGRAM = resolve(import.meta.dirname, '../../../dist/sup.js');

/** Runs a program to its end. */
export const ran = (
  [program = '', ...args]: readonly string[],
  { cwd, env }: { readonly cwd: string; readonly env: Readonly<Record<string, string>> },
): Promise<Ran> =>
  new Promise((done) => {
    const child = execFile(program, args, { cwd, env, timeout: 90_000 }, (_, stdout, stderr) => {
      done({ status: child.exitCode ?? -1, stdout, stderr });
    });
    child.stdin?.end();
  });

export type RunSup = (...args: readonly string[]) => Promise<Ran>;

/** Returns a command `sup` in a directory. Its supervisor ends after the test. */
export const supIn = (cwd: string, variables: Readonly<Record<string, string>> = {}): RunSup => {
  const data = mkdtempSync(join(tmpdir(), 'sup-data-'));
  const env = { PATH: process.env['PATH'] ?? '', HOME: cwd, SUP_DATA_DIR: data, ...variables };
  const sup: RunSup = (...args) => ran([process.execPath, PROGRAM, ...args], { cwd, env });
  onTestFinished(async () => {
    await sup('stop', '--all');
    await sup('shutdown');
    rmSync(data, { recursive: true, force: true, maxRetries: 3 });
  });
  return sup;
};

/** Resolves to what `sup status --json` shows, once the supervisor has answered it. */
export const answeredStatus = async (sup: RunSup): Promise<StatusDocument> => {
  for (let attempt = 0; attempt < 100; attempt += 1) {
    const document = JSON.parse((await sup('status', '--json')).stdout) as StatusDocument;
    // The records have no version.
    if (document.supervisor.version !== null) return document;
    await pause(100);
  }
  throw new Error('the supervisor does not answer');
};

/** Resolves to the text of a file once it satisfies the condition. */
export const textOnce = async (path: string, isDone: (text: string) => boolean): Promise<string> => {
  for (let attempt = 0; attempt < 900; attempt += 1) {
    let text = '';
    try {
      text = readFileSync(path, 'utf8');
    } catch {
      // The file is not there yet.
    }
    if (isDone(text)) return text;
    await pause(100);
  }
  throw new Error(`${path} does not get what it should have`);
};
