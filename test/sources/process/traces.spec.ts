import { lastValueFrom } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { statOf } from '../../../src/os/proc/proc-stat.ts';
import { traces, type Peer } from '../../../src/sources/process/traces.ts';
import { requestId } from '../../../src/streams/domain/ids.ts';
import type { Event } from '../../../src/streams/domain/event.ts';
import type { Ancestor } from '../../../src/streams/domain/service/child.ts';

const request = requestId('c:1');
const tracedOf = (peer: Peer): Promise<Event | undefined> =>
  lastValueFrom(traces({ of: () => peer })({ type: 'trace', key: 'k', request }), {
    defaultValue: undefined,
  });

const lineIn = (event: Event | undefined): readonly Ancestor[] =>
  event?.type === 'traced' && event.ancestry.tag === 'known' ? event.ancestry.line : [];

const parent = statOf(process.ppid);
const known = (sinceTicks: number): Peer => ({ tag: 'known', pid: process.ppid, uid: 4711, sinceTicks });

describe('who asks', () => {
  it('is the peer, with the user that the connection has, and all above it', async () => {
    const event = await tracedOf(known(Number.MAX_SAFE_INTEGER));
    const first = { pid: process.ppid, startTicks: parent?.startTicks, uid: 4711 };
    const line = lineIn(event);
    expect(line[0]).toEqual(first);
    const above = statOf(process.ppid)?.parent ?? 0;
    expect(line[1]?.pid).toBe(above > 1 ? above : undefined);
  });

  it('is nobody when the pid went to somebody who was born after the connection was made', async () => {
    const event = await tracedOf(known((parent?.startTicks ?? 0) - 1));
    expect(event).toEqual({ type: 'traced', request, ancestry: { tag: 'known', line: [] } });
  });

  it('is not known where the kernel does not say', async () => {
    const peer: Peer = { tag: 'unknown', detail: 'no library' };
    expect(await tracedOf(peer)).toEqual({ type: 'traced', request, ancestry: peer });
  });
});
