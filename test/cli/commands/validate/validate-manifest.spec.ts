import { describe, expect, it } from 'vitest';
import { validateManifest } from '../../../../src/cli/commands/validate/validate-manifest.ts';
import { directoryWith, portsWith } from '../../../manifest/loading.ts';
import { catching } from '../streams-of-text.ts';

const GOOD = 'version: 2\nprojects: { p: { services: { a: { command: x }, b: { command: y } } } }\n';
const BAD = 'version: 2\nservices: { a: { command: x, backof: 1 } }\n';

const validate = (
  files: Readonly<Record<string, string>>,
  args: { config?: string; json?: boolean } = {},
) => {
  const out = catching();
  const status = validateManifest(
    { json: false, ...args, directory: directoryWith(files) },
    out,
    portsWith(),
  );
  return { status, ...out.written };
};

describe('sup validate', () => {
  it('sup validate says that a manifest is valid on standard output, with status 0', () => {
    const { status, stdout, stderr } = validate({ 'sup.yaml': GOOD });
    expect([status, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/sup\.yaml: valid \(1 project, 2 services\)\n$/);
  });

  it('sup validate prints every problem on standard error with status 1', () => {
    const { status, stdout, stderr } = validate({ 'sup.yaml': BAD });
    expect([status, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/^error ERR0211 services\.a\.backof: "backof" is not a key of service\n/);
    expect(stderr).toMatch(/sup\.yaml: invalid \(1 error\)\n$/);
  });

  it('sup validate reports what another registered manifest has declared (ERR0218)', () => {
    const out = catching();
    const claim = { code: 'ERR0218', severity: 'error', path: 'projects.p', message: 'taken' } as const;
    const args = { json: false, directory: directoryWith({ 'sup.yaml': GOOD }) };
    const status = validateManifest(args, out, { ...portsWith(), claims: () => [claim] });
    expect([status, out.written.stdout]).toEqual([1, '']);
    expect(out.written.stderr).toMatch(/^error ERR0218 projects\.p: taken\n/);
  });

  it('sup validate takes sup.yaml, then sup.yml, unless -c names another, relative to the directory', () => {
    expect(validate({ 'sup.yaml': BAD, 'sup.yml': GOOD }).status).toBe(1);
    expect(validate({ 'sup.yml': GOOD }).status).toBe(0);
    expect(validate({ 'sup.yaml': BAD, 'sub/other.yaml': GOOD }, { config: 'sub/other.yaml' }).status).toBe(
      0,
    );
  });

  it('sup validate says that there is no manifest here (ERR0203)', () => {
    expect(() => validate({})).toThrow(/^ERR0203: .*there is no sup\.yaml or sup\.yml here/);
  });

  it('sup validate reports a missing file (ERR0203)', () => {
    const { status, stderr } = validate({}, { config: 'none.yaml' });
    expect(status).toBe(1);
    expect(stderr).toMatch(
      /^error ERR0203 ".*none\.yaml" cannot be read: no such file\n {2}at \/.*none\.yaml\n\n/,
    );
  });

  it('sup validate --json prints one document and nothing else, valid or not', () => {
    const good = validate({ 'sup.yaml': GOOD }, { json: true });
    expect([good.status, good.stderr, JSON.parse(good.stdout)]).toEqual([
      0,
      '',
      { schema: 'sup.problems/1', valid: true, problems: [], notes: [] },
    ]);
    const bad = validate({ 'sup.yaml': BAD }, { json: true });
    expect([bad.status, bad.stderr]).toEqual([1, '']);
    expect(JSON.parse(bad.stdout)).toMatchObject({
      valid: false,
      problems: [{ code: 'ERR0211', severity: 'error', path: 'services.a.backof', line: 2, column: 30 }],
    });
  });

  it('sup validate uses the variables of the supervisor and names differences to this shell', () => {
    const text =
      'version: 2\nservices: { a: { command: "${A} ${B} ${C} ${SAME}", env: { vars: { D: 1 } } } }\n';
    const out = catching();
    const ports = {
      ...portsWith(),
      environment: { A: 'secret', B: 'x', SAME: 's', D: 'other', C: 'c' },
      shell: { A: 'shell', SAME: 's', C: 'c', UNASKED: 'u' },
    };
    const args = { json: false, directory: directoryWith({ 'sup.yaml': text }) };
    expect(validateManifest(args, out, ports)).toBe(0);
    expect(out.written.stderr).toBe(
      [
        'note: A has another value in this shell; that of the supervisor that runs counts',
        'note: B is not set in this shell; the supervisor that runs has a value',
        '',
      ].join('\n'),
    );
  });

  it('sup validate shows the warnings of a valid manifest', () => {
    const { status, stdout, stderr } = validate({ 'sup.yaml': 'version: 2\nproject: a\n' });
    expect([status, stdout]).toEqual([0, expect.stringMatching(/valid/)]);
    expect(stderr).toMatch(/^warning ERR0212 project/);
  });
});
