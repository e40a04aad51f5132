// Bad input: files that cannot be imported, and places that cannot be written. Each is a typed error with exit
// status 1, no process is started, and nothing is written but `--out`.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { scenario } from '../support/scenario.ts';
import { expectFailed } from '../support/witnesses.ts';

describe('import and export', () => {
  scenario('files that cannot be imported are typed errors, and nothing is written', async (stage) => {
    const { work } = stage;
    stage.write('Procfile', 'web: node web.js\n');
    stage.write('broken/Procfile', 'web:\n');
    stage.write('nothing/Procfile', '\n');
    stage.write('binary', 'a\u0000b');
    stage.write('large', '');
    truncateSync(join(work, 'large'), 100_000_000);
    execFileSync('mkfifo', [join(work, 'fifo')]);
    mkdirSync(join(work, 'empty'));
    const before = readdirSync(work, { recursive: true });
    const cases: readonly (readonly [code: string, ...args: string[]])[] = [
      ['ERR0801', 'broken/Procfile', '--format', 'no-such-format'],
      ['ERR0801', 'empty'],
      ['ERR0802', 'broken/Procfile'],
      ['ERR0803', 'missing'],
      ['ERR0803', 'binary'],
      ['ERR0803', 'large'],
      ['ERR0803', 'fifo'],
      ['ERR0803', '/dev/zero'],
      ['ERR0804', 'nothing/Procfile'],
      ['ERR0813', 'Procfile', '--out', 'Procfile'],
      ['ERR0807', 'Procfile', '--out', 'no/such/directory/sup.yaml'],
      ['ERR0813', 'Procfile', '--out', '/dev/full'],
    ];
    for (const [code, ...args] of cases) {
      const outcome = await stage.sup('import', ...args);
      expectFailed(outcome, code);
      expect({ args, stdout: outcome.stdout }).toEqual({ args, stdout: '' });
    }
    expect((await stage.sup('import')).status).toBe(2);
    expect(readdirSync(work, { recursive: true })).toEqual(before);
    expect(readFileSync(join(work, 'Procfile'), 'utf8')).toBe('web: node web.js\n');
    expect([...stage.seen.values()]).toEqual([]);
  });

  scenario('a full disk is ERR0807, and leaves no part of a file', (stage) => {
    const { work } = stage;
    stage.write('Procfile', 'web: node web.js\n');
    mkdirSync(join(work, 'full'));
    const line = stage.line('import', 'Procfile', '--out', 'full/sup.yaml');
    const script = [
      'mount -t tmpfs -o size=4k none full || { echo "no mount"; exit 9; }',
      'head -c 4096 /dev/zero > full/filler',
      `${line}; echo "status $?"; ls full`,
    ].join('\n');
    const { stdout, stderr } = spawnSync('unshare', ['-m', 'sh', '-c', script], {
      cwd: work,
      encoding: 'utf8',
    });
    if (stdout.includes('status')) {
      expect(stdout).toBe('status 1\nfiller\n');
      expect(stderr).toContain('ERR0807');
    } else process.stderr.write(`left out: a full disk cannot be mounted: ${stderr}\n`);
    return Promise.resolve();
  });

  scenario('an export that loses something exits with 1, and with --strict writes nothing', async (stage) => {
    const { work } = stage;
    stage.write('sup.yaml', 'version: "2"\nservices: { web: { command: node web.js, umask: "0027" } }\n');
    const lossy = await stage.sup('export', '--to', 'kubernetes', '--image', 'web:1', '--out', 'k8s');
    expect(lossy.status).toBe(1);
    expect(lossy.stderr).toContain('umask');
    expect(readdirSync(join(work, 'k8s'))).toEqual(['web.yaml']);
    const again = await stage.sup('export', '--to', 'kubernetes', '--image', 'web:1', '--out', 'k8s');
    expectFailed(again, 'ERR0813');
    expect(again.stderr).toContain(join(work, 'k8s/web.yaml'));
    expect(again.stderr).toContain('--yes');
    expectFailed(
      await stage.sup('export', '--to', 'kubernetes', '--image', 'web:1', '--strict', '--out', 'strict'),
      'ERR0805',
    );
    expectFailed(await stage.sup('export', '--to', 'kubernetes'), 'ERR0808');
    expect((await stage.sup('export', '--to', 'no-such-format')).status).toBe(2);
    expect((await stage.sup('export')).status).toBe(2);
    expect(readdirSync(work).sort()).toEqual(['k8s', 'sup.yaml']);
    expect([...stage.seen.values()]).toEqual([]);
  });
});
