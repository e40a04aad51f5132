import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadManifest } from '../../../src/manifest/load.ts';
import type { ServiceSpec } from '../../../src/streams/domain/declared/spec.ts';
import { directoryWith, loadFiles, loadText, portsWith, toldOf } from '../loading.ts';

const SERVICES = 'services:\n  web: { command: run }\n  db: { command: run }\n';
const manifestWith = (alerts: string): string => `version: 2\nalerts: ${alerts}\n${SERVICES}`;
const servicesWith = (alerts: string): readonly ServiceSpec[] =>
  loadText(manifestWith(alerts)).manifest?.services ?? [];

describe('alerts', () => {
  it('every service of the manifest has its alerts, with all defaults', () => {
    const [web, db] = servicesWith('[{ url: "https://a/b" }, { command: tell }]');
    const all = ['breaker-open', 'failed', 'unhealthy', 'rollout-failed', 'recovered'];
    const times = { timeout: 10_000, recoveredAfter: 60_000 };
    expect(web?.alerts).toEqual([
      { on: all, to: { tag: 'url', url: 'https://a/b' }, ...times },
      { on: all, to: { tag: 'command', command: 'tell', directory: web?.directory }, ...times },
    ]);
    expect(db?.alerts).toBe(web?.alerts);
  });

  it('an empty list declares nothing, and changes no digest', () => {
    const [none] = loadText(`version: 2\n${SERVICES}`).manifest?.services ?? [];
    const [empty] = servicesWith('[]');
    expect(empty).not.toHaveProperty('alerts');
    expect(none).not.toHaveProperty('alerts');
  });

  it('on, timeout, recovered_after and secret are taken as declared', () => {
    const files = {
      'sup.yaml': manifestWith(
        '[{ on: [failed], url: "http://a/", timeout: 1s, recovered_after: 0, secret: { file: key } }]',
      ),
      key: ' s3cret\n',
    };
    const { manifest, problems } = loadFiles(files);
    expect(problems).toEqual([]);
    const [web] = manifest?.services ?? [];
    expect(web?.alerts).toMatchObject([
      { on: ['failed'], timeout: 1000, recoveredAfter: 0, secretFile: `${web?.directory}/key` },
    ]);
  });

  it.each([
    ['a secret that is missing', {}, 'no such file'],
    ['a secret that is empty', { key: '\n' }, 'it is empty'],
    ['a secret that is too long', { key: 'x'.repeat(5000) }, 'it has 5000 bytes; a secret may have 4096'],
  ])('%s is a warning', (_, files, detail) => {
    const text = manifestWith('[{ url: "http://a/", secret: { file: key } }]');
    const { manifest, problems } = loadFiles({ 'sup.yaml': text, ...files });
    expect(manifest).toBeDefined();
    expect(toldOf(problems)).toEqual([`ERR0220 alerts[0].secret.file: alerts cannot be signed: ${detail}`]);
  });

  it('a secret that every user can change is refused', () => {
    const text = manifestWith('[{ url: "http://a/", secret: { file: key } }]');
    const directory = directoryWith({ 'sup.yaml': text });
    writeFileSync(join(directory, 'key'), 'x');
    chmodSync(join(directory, 'key'), 0o666);
    const { problems } = loadManifest(join(directory, 'sup.yaml'), portsWith());
    expect(problems).toMatchObject([{ code: 'ERR0219', path: 'alerts[0].secret.file', severity: 'error' }]);
  });

  it('with --sys a command that every user can change is reported', () => {
    const directory = directoryWith({ 'sup.yaml': manifestWith('[{ command: ./tell }]'), tell: '' });
    chmodSync(join(directory, 'tell'), 0o777);
    const { problems } = loadManifest(join(directory, 'sup.yaml'), { ...portsWith(), sys: true });
    expect(toldOf(problems.filter(({ code }) => code !== 'ERR0219'))).toEqual([
      expect.stringMatching(/^ERR0747 alerts\[0\]\.command: runs as root, and \S+ is not root's alone/),
    ]);
  });
});
