import { describe, expect, it } from 'vitest';
import type { Command } from '../../../src/streams/domain/command.ts';
import type { Manifest, MetricsSpec, StatusSpec } from '../../../src/streams/domain/declared/manifest.ts';
import { requestId } from '../../../src/streams/domain/ids.ts';
import { INITIAL_STATE, type Tables } from '../../../src/streams/kernel/state.ts';
import { kernel, type Kernel } from '../../support/kernel.ts';

const ONE = '/shop/one.yaml';
const TWO = '/shop/two.yaml';
const off: StatusSpec = { snapshotMode: 'off', snapshotIntervalSecs: 5 };
const detailed: StatusSpec = { snapshotMode: 'detailed', snapshotIntervalSecs: 5 };
const spilling: MetricsSpec = {
  retentionMinutes: 720,
  sampleIntervalSecs: 1,
  maxMemoryBytes: 10_485_760,
  spilloverPath: '/shop/spill',
};

const manifest = (path: string, tables: Tables = {}): Manifest => ({
  ...{ path, schema: 2, services: [], projects: [] },
  ...tables,
});

const load = (sup: Kernel, command: Command, ...manifests: readonly Manifest[]): void =>
  sup.post({
    type: 'manifests-loaded',
    request: requestId(sup.ask(command)),
    loads: manifests.map((each) => ({ path: each.path, manifest: each, problems: [] })),
  });

const start = (sup: Kernel, each: Manifest): void =>
  load(sup, { type: 'start', selection: { manifest: each.path } }, each);

const reconcile = (sup: Kernel, type: 'apply' | 'plan', ...manifests: readonly Manifest[]): void => {
  sup.drain();
  load(sup, { type, selection: {} }, ...manifests);
};

/** Registers two manifests, one after the other. */
const registered = (one: Tables, two: Tables): Kernel => {
  const sup = kernel();
  start(sup, manifest(ONE, one));
  start(sup, manifest(TWO, two));
  return sup;
};

describe('a key for the whole supervisor', () => {
  it('a supervisor key comes from the last registered manifest that has it, in any reading order', () => {
    const sup = registered({ status: off, metrics: spilling }, { status: detailed });
    expect(sup.state()).toMatchObject({ status: detailed, metrics: spilling });
    start(sup, manifest(ONE, { status: off, metrics: spilling }));
    expect(sup.state().status).toEqual(detailed);
  });

  it('a supervisor key is dropped when its manifest is forgotten', () => {
    const sup = registered({ status: off }, { status: detailed, metrics: spilling });
    sup.ask({ type: 'forget', manifest: TWO });
    expect(sup.state().status).toEqual(off);
    expect(sup.state().metrics).toBeUndefined();
    sup.ask({ type: 'forget', manifest: ONE });
    expect(sup.state().status).toBeUndefined();
  });

  it('a supervisor key is dropped when its manifest no longer has it', () => {
    const sup = registered({}, { status: detailed });
    reconcile(sup, 'apply', manifest(ONE), manifest(TWO));
    expect(sup.state().status).toBeUndefined();
  });
});

describe('a change of a supervisor key', () => {
  const tables = [{ key: 'status.snapshot_mode', from: 'detailed', to: 'summary' }];

  it('a change of a supervisor key is planned without effect', () => {
    const sup = registered({}, { status: detailed });
    reconcile(sup, 'plan', manifest(ONE), manifest(TWO));
    expect(sup.replies()).toMatchObject([{ ok: true, done: { plan: { changes: [], tables } } }]);
    expect(sup.state().status).toEqual(detailed);
  });

  it('a change of a supervisor key is reported once, by the apply that makes it', () => {
    const sup = registered({}, { status: detailed });
    reconcile(sup, 'apply', manifest(ONE), manifest(TWO));
    expect(sup.replies()).toEqual([{ ok: true, done: { outcomes: [], warnings: [], tables } }]);
    reconcile(sup, 'apply', manifest(ONE), manifest(TWO));
    expect(sup.replies()).toEqual([{ ok: true, done: { outcomes: [], warnings: [] } }]);
  });

  it('a change of a supervisor key without a default is reported as new', () => {
    const sup = registered({}, {});
    reconcile(sup, 'plan', manifest(ONE), manifest(TWO, { metrics: spilling }));
    expect(sup.replies()).toMatchObject([
      { done: { plan: { tables: [{ key: 'metrics.spillover_path', to: '/shop/spill' }] } } },
    ]);
  });

  it('supervisor keys stay as received from a program that did not name their manifests', () => {
    const sup = kernel({}, { ...INITIAL_STATE, manifests: { [ONE]: [] }, status: off });
    start(sup, manifest(TWO, { metrics: spilling }));
    expect(sup.state()).toMatchObject({ status: off, metrics: spilling });
    start(sup, manifest(ONE));
    expect(sup.state().status).toBeUndefined();
  });
});
