import { describe, expect, it } from 'vitest';
import { processTree } from '../../../../src/cli/render/page/trees.ts';
import type { ProcessDocument } from '../../../../src/streams/wire/documents/documents.ts';

const one = (pid: number, ppid: number, name: string | null): ProcessDocument => ({
  pid,
  ppid,
  name,
  command: null,
  cpu_ms: 1_500,
  rss_bytes: 2_048,
});

describe('the processes of a service', () => {
  it('processes are shown below their parents, and those without one at the left', () => {
    const use = '1.5 s of processor time, 2.0 KiB';
    const tree = [
      one(12, 11, 'worker'),
      one(10, 1, 'sh'),
      one(11, 10, 'node'),
      { ...one(13, 10, 'log\n'), command: ['tail', '-f', 'a\nb'] },
      one(20, 1, null),
    ];
    expect(processTree(tree)).toEqual([
      `    10 sh  ${use}`,
      `      11 node  ${use}`,
      `        12 worker  ${use}`,
      String.raw`      13 log  ${use}  tail -f a\nb`,
      `    20 ?  ${use}`,
    ]);
  });
});
