import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ignoreElements, lastValueFrom, of, tap } from 'rxjs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { savedReplies } from '../../../src/supervisor/followers/saved-replies.ts';
import { registryWriter } from '../../../src/sinks/store/registry-writer.ts';
import { stateWriter } from '../../../src/sinks/store/state-writer.ts';
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

  /** What was on disk when the answer went out; `undefined` when it never did. */
  const onDiskAtAnswer = async (): Promise<string | undefined> => {
    const file = join(dataDir, 'projects/shop/state.json');
    const ports = {
      states: stateWriter({ dataDir, onTrouble: () => undefined }),
      registry: registryWriter({ dataDir, onTrouble: () => undefined }),
      read: () => INITIAL_STATE,
    };
    let seen: string | undefined;
    const sink = savedReplies(ports, (reply$) =>
      reply$.pipe(
        tap(() => (seen = existsSync(file) ? readFileSync(file, 'utf8') : 'nothing')),
        ignoreElements(),
      ),
    );
    await lastValueFrom(sink(of(ANSWER)), { defaultValue: undefined });
    return seen;
  };

  it('an answer is sent once the state of its projects is on disk', async () => {
    expect(await onDiskAtAnswer()).toContain('"schema":"sup.state/1"');
  });

  it('an answer is sent even if the state cannot be saved', async () => {
    mkdirSync(join(dataDir, 'projects'));
    writeFileSync(join(dataDir, 'projects/shop'), 'in the way');
    expect(await onDiskAtAnswer()).toBe('nothing');
  });
});
