import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ignoreElements, lastValueFrom, of, tap } from 'rxjs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { savedReplies } from '../../../src/supervisor/followers/saved-replies.ts';
import { registryWriter } from '../../../src/sinks/store/registry-writer.ts';
import { stateWriter } from '../../../src/sinks/store/save-changes.ts';
import type { EffectOf } from '../../../src/streams/domain/effect.ts';
import { projectId, requestId, serviceId } from '../../../src/streams/domain/ids.ts';
import { INITIAL_STATE } from '../../../src/streams/kernel/state.ts';

const WEB = serviceId(projectId('shop'), 'web');
const ANSWER: EffectOf<'reply'> = {
  type: 'reply',
  request: requestId('c1:1'),
  reply: { ok: true, done: { outcomes: [{ service: WEB, what: 'started' }], warnings: [] } },
};

describe('an answer after saving', () => {
  let dataDir = '';
  beforeEach(() => void (dataDir = mkdtempSync(join(tmpdir(), 'ack-'))));
  afterEach(() => rmSync(dataDir, { recursive: true }));

  /** Returns the content of the file when the answer was sent; `undefined` if none was sent. */
  const onDiskAtAnswer = async (
    name = 'projects/shop/state.json',
    answer = ANSWER,
  ): Promise<string | undefined> => {
    const file = join(dataDir, name);
    const ports = {
      states: stateWriter({ dataDir, logError: () => undefined }),
      registry: registryWriter({ dataDir, logError: () => undefined }),
      read: () => INITIAL_STATE,
    };
    let seen: string | undefined;
    const sink = savedReplies(ports, (reply$) =>
      reply$.pipe(
        tap(() => (seen = existsSync(file) ? readFileSync(file, 'utf8') : 'nothing')),
        ignoreElements(),
      ),
    );
    await lastValueFrom(sink(of(answer)), { defaultValue: undefined });
    return seen;
  };

  it('an answer is sent once the state of its projects is on disk', async () => {
    expect(await onDiskAtAnswer()).toContain('"schema":"sup.state/1"');
  });

  it('an answer about no service is sent once the list of manifests is on disk', async () => {
    const empty = { ...ANSWER, reply: { ok: true, done: { outcomes: [], warnings: [] } } } as const;
    expect(await onDiskAtAnswer('registry.json', empty)).toContain('"manifests"');
  });

  it('an answer is sent even if the state cannot be saved', async () => {
    mkdirSync(join(dataDir, 'projects'));
    writeFileSync(join(dataDir, 'projects/shop'), 'in the way');
    expect(await onDiskAtAnswer()).toBe('nothing');
  });
});
