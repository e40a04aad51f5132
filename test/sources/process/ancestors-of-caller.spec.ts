import { readFileSync, readlinkSync } from 'node:fs';
import { lastValueFrom } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { statOf } from '../../../src/os/proc/process-stat.ts';
import { traces, type Peer, type TracePorts } from '../../../src/sources/process/ancestors-of-caller.ts';
import { requestId } from '../../../src/streams/domain/ids.ts';
import type { Event } from '../../../src/streams/domain/event.ts';
import type { Ancestor, DeclaredUids } from '../../../src/streams/domain/service/ancestry.ts';

const request = requestId('c:1');
const tracedOf = (
  peer: Peer,
  users: readonly string[] = [],
  more: Partial<TracePorts> = {},
): Promise<Event | undefined> => {
  const ports = { peers: { of: () => peer }, privileged: true, ...more };
  return lastValueFrom(traces(ports)({ type: 'trace', key: 'k', request, users }), {
    defaultValue: undefined,
  });
};

const declaredIn = (event: Event | undefined): DeclaredUids | undefined =>
  event?.type === 'traced' && event.ancestry.tag === 'known' ? event.ancestry.declared : undefined;

const lineIn = (event: Event | undefined): readonly Ancestor[] =>
  event?.type === 'traced' && event.ancestry.tag === 'known' ? event.ancestry.line : [];

const parent = statOf(process.ppid);
const known = (sinceTicks: number): Peer => ({ tag: 'known', pid: process.ppid, uid: 4711, sinceTicks });

describe('the identity of a requesting process', () => {
  it('the requester is the peer with the user of the connection, and its ancestors', async () => {
    const event = await tracedOf(known(Number.MAX_SAFE_INTEGER));
    const line = lineIn(event);
    expect(line[0]).toMatchObject({ pid: process.ppid, startTicks: parent?.startTicks });
    expect(line[0]?.uids).toEqual([4711, ...Array.from({ length: 4 }, () => process.getuid?.())]);
    const above = statOf(process.ppid)?.parent ?? 0;
    expect(line[1]?.pid).toBe(above > 1 ? above : undefined);
  });

  it('the requester is unknown if its pid was reused after the connection', async () => {
    const event = await tracedOf(known((parent?.startTicks ?? 0) - 1));
    expect(event).toMatchObject({ type: 'traced', request, ancestry: { tag: 'known', line: [] } });
  });

  it('the requester is unknown if the kernel does not identify it', async () => {
    const peer: Peer = { tag: 'unknown', detail: 'no library' };
    expect(await tracedOf(peer)).toEqual({ type: 'traced', request, ancestry: peer });
  });

  it('the requester is reported with its confinement', async () => {
    const [first] = lineIn(await tracedOf(known(Number.MAX_SAFE_INTEGER)));
    const fact = (name: string): string => first?.confinement?.[name] ?? '?';
    const status = readFileSync(`/proc/${process.ppid}/status`, 'utf8');
    for (const name of ['NoNewPrivs', 'Seccomp', 'CapInh', 'CapPrm', 'CapEff', 'CapBnd', 'CapAmb'])
      expect(status).toContain(`${name}:\t${fact(name)}\n`);
    for (const name of ['mnt', 'net', 'pid', 'user', 'uts', 'ipc', 'cgroup'])
      expect(fact(`ns/${name}`)).toBe(readlinkSync(`/proc/${process.ppid}/ns/${name}`));
    expect(fact('root')).toBe('/');
  });

  it('the requester is reported with the uids of the requested accounts, if they exist', async () => {
    const own = process.getuid?.();
    const event = await tracedOf(known(0), ['root', '4711', 'nosuch']);
    expect(declaredIn(event)).toEqual({ own, byUser: { root: 0, '4711': 4711 } });
    const silent = { uidOf: () => Promise.reject(new Error('no answer')) };
    expect(declaredIn(await tracedOf(known(0), ['root'], silent))).toEqual({ own, byUser: {} });
  });

  it('the requester counts as the supervisor without --sys, where user has no effect', async () => {
    const own = process.getuid?.();
    const event = await tracedOf(known(0), ['www-data'], { privileged: false });
    expect(declaredIn(event)).toEqual({ own, byUser: { 'www-data': own } });
  });
});
