import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { run } from '../../../../src/cli/command-line.ts';
import { environmentOf } from '../../../../src/os/proc/process-facts.ts';
import { REGISTRY_SCHEMA } from '../../../../src/streams/wire/state-files.ts';
import { until } from '../../../fixtures/processes/world.ts';
import { fakeWorld } from '../../support/fake-world.ts';

interface Document {
  readonly schema: string;
  readonly verdict: string;
  readonly checks: readonly { readonly id: string; readonly level: string; readonly says: string }[];
}

let root: string;
let dataDir: string;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'sup-doctor-')));
  dataDir = join(root, 'data');
  onTestFinished(() => rmSync(root, { recursive: true }));
});

const uid = process.getuid?.() ?? 0;

const doctor = async (...words: readonly string[]): Promise<{ status: number | undefined; out: string }> => {
  const heard = fakeWorld({ environment: { SUP_DATA_DIR: dataDir }, directory: root, uid });
  const status = await run(['doctor', ...words], heard.world);
  return { status, out: heard.out() };
};

const documentOf = async (): Promise<Document & { readonly status: number | undefined }> => {
  const { status, out } = await doctor('--json');
  // The shape is the program's promise.
  return { ...(JSON.parse(out) as Document), status };
};

const lineFor = ({ checks }: Document, id: string): string | undefined => {
  const found = checks.find((check) => check.id === id);
  return found && `${found.level}: ${found.says}`;
};

const STATUS: Readonly<Record<string, number>> = { ok: 0, warning: 1, problem: 2 };

describe('sup doctor', () => {
  it('sup doctor checks everything, changes nothing, and exits with the worst finding', async () => {
    const document = await documentOf();
    expect(document.schema).toBe('sup.doctor/1');
    expect(document.status).toBe(STATUS[document.verdict]);
    const ids = document.checks.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).toEqual(
      expect.arrayContaining([
        'installation',
        'node',
        'ffi',
        'code cache',
        'kernel',
        'root',
        'data directory',
        'disk',
        'manifests',
      ]),
    );
    expect(lineFor(document, 'data directory')).toContain('is not there yet');
    expect(lineFor(document, 'supervisor')).toBe('ok: none is running');
  });

  it('sup doctor prints the same for people with remedies; with --quiet only problems', async () => {
    mkdirSync(dataDir, { mode: 0o755 });
    const { status, out } = await doctor();
    expect(status).toBe(1);
    expect(out).toMatch(/^ok {7}installation: a clone, in .*\nok {7}node: Node v/);
    expect(out).toContain(
      `warning  data directory: others may look into ${dataDir} (0755)\n           chmod 700`,
    );
    expect(out).toMatch(/it works; the warnings say what could be better\n$/);
    expect((await doctor('--quiet')).out).not.toContain('ok       ');
  });

  it('sup doctor names an unreadable registry', async () => {
    mkdirSync(dataDir, { mode: 0o700 });
    writeFileSync(join(dataDir, 'registry.json'), '{', { mode: 0o600 });
    const document = await documentOf();
    expect(document.status).toBe(2);
    expect(lineFor(document, 'records 1')).toContain('registry.json cannot be used');
  });

  it('sup doctor warns of a missing registered manifest', async () => {
    mkdirSync(dataDir, { mode: 0o700 });
    const gone = join(root, 'gone.yaml');
    const registry = { schema: REGISTRY_SCHEMA, manifests: [gone] };
    writeFileSync(join(dataDir, 'registry.json'), JSON.stringify(registry), { mode: 0o600 });
    const document = await documentOf();
    expect(document.status).toBe(1);
    expect(lineFor(document, `manifest ${gone}`)).toBe(
      `warning: ${gone} does not load: ERR0203 "${gone}" cannot be read: no such file`,
    );
  });

  it('sup doctor names marked processes of unrecorded services', async () => {
    const stray = spawn('sleep', ['60'], {
      env: { PATH: process.env['PATH'], SUP_UNIT: 'shop/web#3', SUP_SUPERVISOR: dataDir },
      detached: true,
      stdio: 'ignore',
    });
    onTestFinished(() => void stray.kill('SIGKILL'));
    // During `exec` it has no environment.
    await until(() => environmentOf(stray.pid ?? 0).length > 0);
    const document = await documentOf();
    expect(lineFor(document, 'unrecorded')).toBe(
      `warning: alive, of services that are not on record: shop/web#3 (pid ${String(stray.pid)})`,
    );
    // No supervisor watches it.
    expect(document.status).toBe(2);
  });
});
