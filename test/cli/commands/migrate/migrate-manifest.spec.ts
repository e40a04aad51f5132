import { readFileSync, readdirSync, statSync, symlinkSync, lstatSync, chmodSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { migrateManifest } from '../../../../src/cli/commands/migrate/migrate-manifest.ts';
import { directoryWith, portsWith } from '../../../manifest/loading.ts';
import { catching } from '../streams-of-text.ts';

const OLD = 'version: 1\nproject: shop # the shop\nservices:\n  web: { command: x }\n';
const NEW = 'version: "2"\n# the shop\nprojects:\n  shop:\n    services:\n      web: { command: x }\n';

const migrateIn = (directory: string, args: { inPlace: boolean; config?: string }) => {
  const out = catching();
  return { status: migrateManifest({ ...args, directory }, out, portsWith()), ...out.written };
};

describe('sup migrate', () => {
  it('sup migrate prints the result and does not change the file', () => {
    const directory = directoryWith({ 'sup.yaml': OLD });
    expect(migrateIn(directory, { inPlace: false })).toEqual({ status: 0, stdout: NEW, stderr: '' });
    expect(readFileSync(join(directory, 'sup.yaml'), 'utf8')).toBe(OLD);
  });

  it('sup migrate --in-place replaces the file, keeps its mode and writes a .bak', () => {
    const directory = directoryWith({ 'sup.yaml': OLD });
    chmodSync(join(directory, 'sup.yaml'), 0o640);
    const { status, stdout } = migrateIn(directory, { inPlace: true });
    expect([status, stdout]).toEqual([0, '']);
    expect(readdirSync(directory).sort()).toEqual(['sup.yaml', 'sup.yaml.bak']);
    expect(readFileSync(join(directory, 'sup.yaml'), 'utf8')).toBe(NEW);
    expect(readFileSync(join(directory, 'sup.yaml.bak'), 'utf8')).toBe(OLD);
    expect(statSync(join(directory, 'sup.yaml')).mode & 0o777).toBe(0o640);
  });

  it('sup migrate --in-place follows a link and keeps it', () => {
    const directory = directoryWith({ 'real/sup.yaml': OLD });
    symlinkSync('real/sup.yaml', join(directory, 'sup.yaml'));
    expect(migrateIn(directory, { inPlace: true }).status).toBe(0);
    expect(lstatSync(join(directory, 'sup.yaml')).isSymbolicLink()).toBe(true);
    expect(readFileSync(join(directory, 'real/sup.yaml'), 'utf8')).toBe(NEW);
  });

  it('sup migrate --in-place writes nothing if nothing changes', () => {
    const directory = directoryWith({ 'sup.yaml': NEW });
    expect(migrateIn(directory, { inPlace: true }).status).toBe(0);
    expect(readdirSync(directory)).toEqual(['sup.yaml']);
  });

  it('sup migrate --in-place replaces a .bak that is a link, and not its target', () => {
    const directory = directoryWith({ 'sup.yaml': OLD, 'other.txt': 'mine' });
    symlinkSync('other.txt', join(directory, 'sup.yaml.bak'));
    expect(migrateIn(directory, { inPlace: true }).status).toBe(0);
    expect(readFileSync(join(directory, 'other.txt'), 'utf8')).toBe('mine');
    expect(lstatSync(join(directory, 'sup.yaml.bak')).isSymbolicLink()).toBe(false);
    expect(readFileSync(join(directory, 'sup.yaml.bak'), 'utf8')).toBe(OLD);
  });

  it('sup migrate --in-place changes nothing if the old text cannot be kept (ERR0224)', () => {
    const directory = directoryWith({ 'sup.yaml': OLD, 'sup.yaml.bak/x': '' });
    expect(() => migrateIn(directory, { inPlace: true })).toThrow(/^ERR0224: .*sup.yaml cannot be written/);
    expect(readdirSync(directory).sort()).toEqual(['sup.yaml', 'sup.yaml.bak']);
    expect(readFileSync(join(directory, 'sup.yaml'), 'utf8')).toBe(OLD);
  });

  it('sup migrate says what prevents it, and changes nothing', () => {
    const directory = directoryWith({ 'sup.yaml': 'version: 7\n' });
    expect(() => migrateIn(directory, { inPlace: true })).toThrow(
      /^ERR0212: "7" is not a version that can be migrated/,
    );
    expect(readdirSync(directory)).toEqual(['sup.yaml']);
  });

  it('sup migrate reports a missing file and a missing manifest (ERR0203)', () => {
    expect(() => migrateIn(directoryWith({}), { inPlace: false, config: 'none' })).toThrow(/ERR0203/);
    expect(() => migrateIn(directoryWith({}), { inPlace: false })).toThrow(/ERR0203/);
  });
});
