// Whether foreman understands a Procfile and `.env` as `sup import` and `sup export` do.
import { readFileSync, writeFileSync } from 'node:fs';
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { procfileExport } from '../../../src/exchange/procfile/procfile-export.ts';
import { exported } from '../support/exported.ts';
import { importedFrom, servicesIn, writtenFiles } from '../support/import-case.ts';
import { describeWith } from '../support/oracle.ts';
import { ran, supIn, textOnce } from '../support/run-sup.ts';

const ENV = `# comment
MODE=fast # and this
QUOTED="a \\"b\\" $HOME"
SINGLE='it's'
EMPTY=
export NOT=this
`;

const PROCFILE = ['web', 'worker']
  .map((name) => `${name}: echo $PORT $MODE >>${name}.txt; exec sleep 1000\n`)
  .join('');

/** Returns the texts of the files by their names. */
const exportedFiles = (manifest: string) => {
  const { files } = exported(manifest, procfileExport);
  const texts = files.map(({ name, text }) => [name, text]);
  return Object.fromEntries(texts) as Record<string, string>;
};

const env = { PATH: '/usr/bin:/bin', HOME: '/root', LANG: 'C.UTF-8' };

const foreman = (cwd: string, ...args: readonly string[]) => ran(['/usr/bin/foreman', ...args], { cwd, env });

describeWith('foreman')('foreman and sup', () => {
  it('give the processes of a Procfile the same variables', async () => {
    const files = { Procfile: PROCFILE, '.env': ENV };
    const directory = writtenFiles(files);
    const services = servicesIn(await importedFrom(directory, { files }));
    const { stdout } = await foreman(directory, 'run', 'env');
    const theirs = stdout.split('\n').filter((line) => /^(?:MODE|QUOTED|SINGLE|EMPTY|NOT)=/.test(line));
    const { PORT: _, ...vars } = services[0]?.env.vars ?? {};
    expect(Object.entries(vars).map(([name, value]) => `${name}=${value}`)).toEqual(theirs);
    await foreman(directory, 'export', 'supervisord', 'out', '-a', 'app', '-u', 'root');
    const exported = readFileSync(join(directory, 'out/app.conf'), 'utf8');
    expect(services.map((service) => service.env.vars['PORT'])).toEqual(
      [...exported.matchAll(/PORT="(\d+)"/g)].map(([, port]) => port),
    );
  });

  it('is satisfied with the Procfile that sup writes, and sets its variables', async () => {
    const files = exportedFiles(
      `version: "2"
env: { vars: { A: "it's $x \\\\n", B: "two\\nlines \\"q\\"" } }
services: { a.b: { exec: [echo, "c d"] }, _b: { command: "echo $A" } }
`,
    );
    const directory = writtenFiles(files);
    const { status, stdout } = await foreman(directory, 'check');
    expect([status, stdout]).toEqual([0, 'valid procfile detected (a-b, _b)\n']);
    const printed = await foreman(directory, 'run', 'printenv', 'A', 'B');
    expect(printed.stdout).toBe(`it's $x \\n\ntwo\nlines "q"\n`);
    expect((await foreman(directory, 'run', 'a-b')).stdout).toBe('c d\n');
  });

  it('run the same Procfile with the same output, one after the other', async () => {
    const directory = writtenFiles({ Procfile: PROCFILE, '.env': 'MODE=fast\n' });
    const child = spawn('/usr/bin/foreman', ['start'], { cwd: directory, env, stdio: 'ignore' });
    onTestFinished(() => void child.kill('SIGTERM'));
    const ends = new Promise((done) => child.once('exit', done));
    const theirs = [
      await textOnce(join(directory, 'web.txt'), (text) => text.endsWith('\n')),
      await textOnce(join(directory, 'worker.txt'), (text) => text.endsWith('\n')),
    ];
    child.kill('SIGTERM');
    await ends;
    for (const name of ['web', 'worker']) writeFileSync(join(directory, `${name}.txt`), '');
    const sup = supIn(directory);
    expect(await sup('import', 'Procfile', '--out', 'sup.yaml')).toMatchObject({ status: 0 });
    expect(await sup('start', '-d')).toMatchObject({ status: 0 });
    const ours = [
      await textOnce(join(directory, 'web.txt'), (text) => text.endsWith('\n')),
      await textOnce(join(directory, 'worker.txt'), (text) => text.endsWith('\n')),
    ];
    expect(ours).toEqual(theirs);
    expect(ours[0]).toBe('5000 fast\n');
    expect((await sup('kill', '-s', 'KILL', 'web')).status).toBe(0);
    await textOnce(join(directory, 'web.txt'), (text) => text.split('\n').length === 3);
    expect((await sup('stop', '--all')).status).toBe(0);
    expect((await sup('status')).stdout).not.toContain('ready');
  });
});
