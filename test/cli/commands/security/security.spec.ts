import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { run } from '../../../../src/cli/command-line.ts';
import type { SecurityDocument } from '../../../../src/streams/wire/documents/security-documents.ts';
import { expectSchema } from '../../../scenarios/support/schemas.ts';
import { fakeWorld } from '../../support/fake-world.ts';
import { temporary } from '../logs/harness.ts';

const MANIFEST = `version: 3
projects:
  shop:
    services:
      bare: { exec: ["true"] }
      web: { exec: ["true"], user: www-data, isolation: { protect: strict } }
`;
const SHOP = 'services: { web: { exec: ["true"], isolation: { protect: strict, pid: true } } }\n';
const WITHOUT_PROTECT = 'version: 3\nservices:\n  web: { exec: ["true"] }\n';
const UID = process.getuid?.() ?? 0;

interface Printed {
  readonly status: number | undefined;
  readonly out: string;
  readonly err: string;
}

/** Runs the command beside this manifest, or these files, without records. A user has no data directory of root. */
const ran = async (
  manifest: string | Readonly<Record<string, string>> | undefined,
  words: readonly string[],
  uid = UID,
): Promise<Printed> => {
  const directory = temporary();
  mkdirSync(join(directory, 'shop'));
  const files = typeof manifest === 'string' ? { 'sup.yaml': manifest } : (manifest ?? {});
  for (const [name, text] of Object.entries(files)) writeFileSync(join(directory, 'shop', name), text);
  const environment = { SUP_DATA_DIR: join(directory, 'data') };
  const { world, out, err } = fakeWorld({ directory: join(directory, 'shop'), environment, uid });
  const status = await run(['security', ...words], world);
  return { status, out: out(), err: err() };
};

const scoresIn = ({ out }: Printed): Readonly<Record<string, number>> => {
  const { services } = expectSchema(JSON.parse(out) as SecurityDocument);
  return Object.fromEntries(services.map(({ name, score }) => [name, score]));
};

/** Root with `--sys` trusts only files of root in directories of root, so tests run as another user does. */
const ANOTHER_UID = 4_711;

describe('sup security without a supervisor', () => {
  it('a manifest is judged by its declaration, for a supervisor with --sys also without root', async () => {
    const printed = await ran(MANIFEST, ['--sys', '--json', '-c', 'sup.yaml'], ANOTHER_UID);
    expect(printed.status, printed.err).toBe(0);
    const { bare, web } = scoresIn(printed);
    expect(bare).toBeGreaterThan(9.5);
    expect(web).toBeLessThan(2);
  });

  it('the manifest of this directory is judged if none is registered, and the page says for what', async () => {
    const printed = await ran(WITHOUT_PROTECT, []);
    expect(printed.status, printed.err).toBe(0);
    expect(printed.out).toMatch(/^SCORE +RATING +SERVICE/);
    expect(printed.err).toBe('no supervisor is running: only the declaration is judged\n');
  });

  it('a name selects a service and shows what closes it', async () => {
    const printed = await ran(MANIFEST, ['--sys', 'web'], ANOTHER_UID);
    expect(printed.out).toMatch(/^shop\/web: 1\.\d closed\n/);
    expect(printed.out).toContain('isolation: { seccomp: baseline }  # -');
    expect(printed.out).not.toContain('shop/bare');
  });

  it('a service above the threshold is named, and the exit status is 1', async () => {
    const printed = await ran(MANIFEST, ['--sys', '--threshold', '4'], ANOTHER_UID);
    expect(printed.status).toBe(1);
    expect(printed.err).toMatch(/ERR0247 more open than 4: shop\/bare \(\d+\.\d\)\n/);
    expect(printed.out).toContain('shop/web');
  });

  it('a service at the threshold is not above it', async () => {
    const { web } = scoresIn(await ran(MANIFEST, ['--sys', '--json', 'web'], ANOTHER_UID));
    const words = ['--sys', '--threshold', String(web), 'web'];
    expect((await ran(MANIFEST, words, ANOTHER_UID)).status).toBe(0);
  });

  it.each(['high', '-1', '10.1', '11', '4.55', ''])('the threshold "%s" is refused', async (threshold) => {
    const printed = await ran(MANIFEST, [`--threshold=${threshold}`]);
    expect(printed.status).toBe(2);
    expect(printed.err).toMatch(/ERR0246|ERR0200/);
    expect(printed.out).toBe('');
  });

  it('without --sys, keys that version 3 cannot enforce are refused, as at a start', async () => {
    const printed = await ran(MANIFEST, []);
    expect(printed.status).toBe(1);
    expect(printed.err).toContain('ERR0721');
  });

  it.each([
    ['of the manifest', MANIFEST, {}],
    ['of an included file', 'version: 3\nprojects: { shop: !include "o\'r.yaml" }\n', { "o'r.yaml": SHOP }],
  ])(
    'without --sys, the first refused key %s has a hint with the command that works',
    async (_, text, more) => {
      const words = ['-c', 'sup.yaml', '-c', "it's.yaml"];
      const files = { 'sup.yaml': text, "it's.yaml": '', ...more };
      const printed = await ran(files, words);
      const hints = printed.err.split('\n').filter((line) => line.includes('hint:'));
      const command =
        /^ {2}hint: for a supervisor with --sys: sup security --sys -c \S+\/sup\.yaml -c '\S+\/it'\\''s\.yaml'$/;
      expect(hints).toEqual([expect.stringMatching(command)]);
      const { err } = await ran(files, ['--json', ...words]);
      expect(JSON.parse(err)).toMatchObject({
        error: { hint: expect.stringContaining('sup security --sys -c ') as string },
      });
    },
  );

  it('a manifest that --sys would not mend has no hint to use it', async () => {
    const printed = await ran(`${MANIFEST}      x: { exec: [] }\n`, []);
    expect(printed.err).toContain('ERR0721');
    expect(printed.err).not.toContain('sup security --sys');
  });

  it('an unknown service, and a directory without a manifest, are errors', async () => {
    expect((await ran(MANIFEST, ['--sys', 'nothing'], ANOTHER_UID)).err).toContain('ERR0202');
    expect((await ran(undefined, [])).err).toContain('ERR0203');
  });

  it('a profile adds its services to the manifest that is judged', async () => {
    const text = `${WITHOUT_PROTECT}  dev: { exec: ["true"], profiles: [dev] }\n`;
    expect(Object.keys(scoresIn(await ran(text, ['--json'])))).toEqual(['web']);
    expect(Object.keys(scoresIn(await ran(text, ['--json', '--profile', 'dev'])))).toEqual(['web', 'dev']);
  });
});
