// What `sup export --to kubernetes` writes, read by kubectl and by the published schemas of Kubernetes.
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import fc from 'fast-check';
import { parse, parseAllDocuments } from 'yaml';
import { describe, expect, it } from 'vitest';
import { kubernetesExport } from '../../../src/exchange/kubernetes/kubernetes-export.ts';
import { exported } from '../support/exported.ts';
import { describeWith } from '../support/oracle.ts';
import { randomManifest } from '../support/random-service.ts';

interface KubernetesObject {
  readonly apiVersion: string;
  readonly kind: string;
}

/** An object, and the text that was written. */
interface WrittenObject {
  readonly object: KubernetesObject;
  readonly kind: string;
  readonly text: string;
}

const objectsIn = (text: string): readonly WrittenObject[] =>
  text
    .split(/^---$/m)
    .slice(1)
    .map((each) => {
      const object = parse(each) as KubernetesObject;
      return { object, kind: object.kind, text: each };
    });

/** Returns the objects of manifests that load. */
const generated = (count: number): readonly WrittenObject[] =>
  fc.sample(randomManifest, { numRuns: count * 2, seed: 7 }).flatMap((manifest) => {
    try {
      const { files } = exported(manifest, kubernetesExport, { '*': 'shop/web:3' });
      return files.flatMap(({ text }) => objectsIn(text));
    } catch {
      return [];
    }
  });

interface Model {
  readonly validate: () => void;
}

const load = createRequire(import.meta.url);
const modelOf = ({ apiVersion, kind }: KubernetesObject): new (object: object) => Model => {
  const models = load(`kubernetes-models/${apiVersion}`) as Record<string, new (object: object) => Model>;
  const found = models[kind];
  if (found === undefined) throw new Error(`no model of ${apiVersion} ${kind}`);
  return found;
};

const OBJECTS = generated(150);

describe('the schemas of Kubernetes', () => {
  it('accept all objects of generated manifests', () => {
    for (const { object } of OBJECTS) expect(() => new (modelOf(object))(object).validate()).not.toThrow();
    expect(OBJECTS.length).toBeGreaterThan(200);
    expect(new Set(OBJECTS.map(({ kind }) => kind))).toEqual(
      new Set(['Deployment', 'Job', 'CronJob', 'Service']),
    );
  });

  it('refuse an object with a wrong value, so that the test before can fail', () => {
    const wrong = { ...OBJECTS[0]?.object, spec: 3 } as unknown as KubernetesObject;
    expect(() => new (modelOf(wrong))(wrong).validate()).toThrow();
  });
});

/** Returns every value in an object by its path. */
const leaves = (value: unknown, path = ''): readonly string[] => {
  if (typeof value !== 'object' || value === null) return [`${path}=${JSON.stringify(value)}`];
  const inner = Object.entries(value).flatMap(([key, each]) => leaves(each, `${path}.${key}`));
  return inner.length === 0 ? [`${path} is empty`] : inner;
};

describeWith('kubectl')('kubectl', () => {
  const kubectl = (args: readonly string[], objects: readonly WrittenObject[]) =>
    spawnSync('kubectl', [...args, '--local', '-f', '-', '-o', 'json'], {
      input: objects.map(({ text }) => text).join('\n---\n'),
      encoding: 'utf8',
      maxBuffer: 100_000_000,
    });

  const decoded = (args: readonly string[], objects: readonly WrittenObject[]): readonly unknown[] => {
    const { status, stdout, stderr } = kubectl(args, objects);
    if (status !== 0) throw new Error(stderr);
    // One JSON text follows another, which YAML reads as documents.
    return parseAllDocuments(stdout.replaceAll(/^\}\n?\{/gm, '}\n---\n{')).map(
      (each) => each.toJS() as unknown,
    );
  };

  /** Debian's kubectl 1.20 does not know CronJobs of `batch/v1`, and later keys. */
  const knowsCronJobs =
    kubectl(['set', 'image', '*=other:4'], OBJECTS.filter(({ kind }) => kind === 'CronJob').slice(0, 1))
      .status === 0;

  const LATER = knowsCronJobs ? [] : ['.spec.template.spec.hostUsers', '.spec.suspend'];

  // An empty value is left out, and means the same.
  const expectKept = (before: readonly KubernetesObject[], after: readonly unknown[]): void => {
    expect(after).toHaveLength(before.length);
    for (const [at, object] of before.entries()) {
      const kept = new Set(leaves(after[at]));
      const lost = leaves(object).filter(
        (leaf) =>
          !kept.has(leaf) && !leaf.endsWith('.value=""') && !LATER.some((key) => leaf.startsWith(key)),
      );
      expect(lost).toEqual([]);
    }
  };

  it('decodes all Deployments, Jobs and CronJobs, and keeps every key', () => {
    const known = OBJECTS.filter(({ kind }) => kind !== 'Service' && (knowsCronJobs || kind !== 'CronJob'));
    if (!knowsCronJobs) process.stderr.write('not decoded: CronJobs, which this kubectl does not know\n');
    expectKept(
      known.map(
        ({ object }) =>
          JSON.parse(JSON.stringify(object).replaceAll('shop/web:3', 'other:4')) as KubernetesObject,
      ),
      decoded(['set', 'image', '*=other:4'], known),
    );
  });

  it('decodes all Services, and keeps every key', () => {
    const services = OBJECTS.filter(({ kind }) => kind === 'Service');
    const selector = { 'app.kubernetes.io/name': 'x' };
    const changed = services.map(({ object }) => {
      const { spec } = object as { spec?: object };
      return { ...object, spec: { ...spec, selector } };
    });
    expectKept(changed, decoded(['set', 'selector', 'app.kubernetes.io/name=x'], services));
  });
});
