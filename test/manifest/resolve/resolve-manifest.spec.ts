import { describe, expect, it } from 'vitest';
import { loadManifest } from '../../../src/manifest/load.ts';
import { directoryWith, portsWith } from '../loading.ts';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

const digestsOf = (...texts: readonly string[]): readonly (string | undefined)[] => {
  const path = join(directoryWith({ 'sup.yaml': '' }), 'sup.yaml');
  return texts.map((text) => {
    writeFileSync(path, `version: 2\n${text}`);
    return loadManifest(path, portsWith()).manifest?.services[0]?.digest;
  });
};

describe('the digest of a service', () => {
  it('the digest does not depend on key order, comments or the level of a variable', () => {
    const [one, other, third] = digestsOf(
      'services: { a: { command: x, skip: false, env: { vars: { A: "1", B: "2" } } } }',
      'services:\n  a: # the same\n    env: { vars: { B: "2", A: "1" } }\n    command: x\n',
      'env: { vars: { B: "2" } }\nservices: { a: { command: x, env: { vars: { A: "1" } } } }',
    );
    expect(one).toBeDefined();
    expect([other, third]).toEqual([one, one]);
  });

  it('the digest does not depend on objects without effect', () => {
    const withTable = (table: string): string => `services: { a: { command: x, ${table} } }`;
    const [bare, ...others] = digestsOf(
      'services: { a: { command: x } }',
      ...[
        'limits: {}',
        'x-image: web:2',
        'isolation: {}',
        'isolation: { network: false, private_tmp: false }',
        'env: {}',
        'logs: {}',
        'hooks: {}',
        'hooks: { on_stop: {} }',
        'spawn: { limits: {} }',
        'backoff: {}',
        'deployment: {}',
        'depends_on: []',
        'supplementary_groups: []',
      ].map(withTable),
    );
    expect(others).toEqual(others.map(() => bare));
    const asking = ['limits: { cgroup: {} }', 'isolation: { landlock: {} }', 'isolation: { seccomp: {} }'];
    expect(digestsOf(...asking.map(withTable))).not.toContain(bare);
  });

  it('the digest changes with each change of the service, and not with those of another', () => {
    const [one, variable, argument, other] = digestsOf(
      'services: { a: { exec: [x, "1"] } }',
      'env: { vars: { A: "1" } }\nservices: { a: { exec: [x, "1"] } }',
      'services: { a: { exec: [x, "2"] } }',
      'services: { a: { exec: [x, "1"] }, b: { command: y } }',
    );
    expect(new Set([one, variable, argument]).size).toBe(3);
    expect(other).toBe(one);
  });

  it('the digest is computed when it is read first, and is a plain property then', () => {
    const path = join(
      directoryWith({ 'sup.yaml': 'version: 2\nservices: { a: { command: x } }' }),
      'sup.yaml',
    );
    const service = loadManifest(path, portsWith()).manifest?.services[0];
    const property = (): PropertyDescriptor | undefined => Object.getOwnPropertyDescriptor(service, 'digest');
    expect(Object.keys(property() ?? {})).toContain('get');
    const digest = service?.digest;
    expect(digest).toMatch(/^[0-9a-f]{64}$/);
    expect(property()).toMatchObject({ value: digest, enumerable: true });
    expect({ ...service }.digest).toBe(digest);
  });
});
