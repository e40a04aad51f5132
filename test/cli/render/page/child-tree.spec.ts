import { describe, expect, it } from 'vitest';
import { childTree, pastChildren, spawnWords } from '../../../../src/cli/render/page/trees.ts';
import type { ChildDocument, SpawnDocument } from '../../../../src/streams/wire/documents/child-documents.ts';

const AT = '2026-11-21T05:30:15.123Z';
const child = (name: string, more: Partial<ChildDocument> = {}): ChildDocument => ({
  ...{
    name,
    run: 2,
    pid: 42,
    command: ['sleep', '5'],
    depth: 1,
    state: 'running',
    parent_run: 1,
    orphan: false,
  },
  ...{ started_at: AT, age_ms: 90_000, ttl_left_ms: null, children: [], ...more },
});
const spawn: SpawnDocument = {
  mode: 'dynamic',
  limits: {
    ...{ children: 100, depth: 3, descendants: 500, total_memory_bytes: 2 ** 30 },
    termination_policy: 'orphan',
  },
  counts: { children: 1, depth: 2, descendants: 3, total_memory_bytes: 2 ** 20 },
  children: [
    child('a', { ttl_left_ms: 5_000, children: [child('b', { depth: 2, pid: null, state: 'starting' })] }),
    child('c', { orphan: true, command: ['printf', 'x\ny'] }),
  ],
  ended: [
    {
      ...{ name: 'd', run: 3, pid: 43, command: ['false'], state: 'failed', parent_run: 1 },
      ...{
        started_at: AT,
        ended_at: AT,
        exit: { code: 1, signal: null, success: false, at: AT },
        ended_by: null,
        error: null,
      },
    },
    {
      ...{ name: 'e', run: 4, pid: 44, command: ['sleep'], state: 'stopped', parent_run: 1 },
      ...{
        started_at: AT,
        ended_at: AT,
        exit: { code: null, signal: 'SIGTERM', success: false, at: AT },
        ended_by: 'ttl',
      },
      error: null,
    },
  ],
};

describe('the children of a service on its page', () => {
  it('the children of a service are shown as a tree', () => {
    expect(childTree(spawn)).toEqual([
      '    a pid 42 running (1 min 30 s old, 5 s left)  sleep 5',
      '      b pid - starting (1 min 30 s old)  sleep 5',
      '    c pid 42 running (1 min 30 s old, orphan)  printf x\\ny',
    ]);
  });

  it('past children are shown with their exits', () => {
    expect(pastChildren(spawn)).toEqual([
      `    ${AT}  d pid 43 failed (1)  false`,
      `    ${AT}  e pid 44 stopped (SIGTERM, its ttl was spent)  sleep`,
    ]);
  });

  it('children are counted against their limits', () => {
    expect(spawnWords(spawn)).toBe(
      '1 of 100, 3 of 500 descendants, depth 2 of 3, 1.0 MiB of 1.0 GiB; orphan',
    );
    expect(spawnWords({ ...spawn, mode: 'static' })).toBeNull();
  });
});
