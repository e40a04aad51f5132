// What the library makes of what the program `sup` prints, with a program that stands in for it.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { connect, type Sup } from '../../../src/client/library.ts';

const supPrinting = (stdout: string, stderr: string): Sup => {
  const directory = mkdtempSync(join(tmpdir(), 'sup-program-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const program = join(directory, 'sup.cjs');
  const write = (stream: string, text: string): string => `process.${stream}.write(${JSON.stringify(text)});`;
  writeFileSync(program, write('stdout', stdout) + write('stderr', stderr) + 'process.exitCode = 1;');
  return connect({ dataDir: directory, program });
};

const REPORT = JSON.stringify({
  schema: 'sup.error/1',
  error: { code: 'ERR0119', message: 'the reload command of web exited with 3' },
});

it('an error of reload is found after the output of the reload command', async () => {
  const reload = supPrinting('', `reloading\n${REPORT}\n`).reload({ services: ['web'] });
  await expect(reload).rejects.toMatchObject({ document: { code: 'ERR0119' } });
});

it('the last line that exec prints is not taken for an error of sup', async () => {
  const stderr = `warning\n${REPORT}\n`;
  expect(await supPrinting('', stderr).exec('web', ['ls'])).toEqual({ status: 1, stdout: '', stderr });
});
