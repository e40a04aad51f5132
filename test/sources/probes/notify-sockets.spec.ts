// Needs the native addon.
import { execFileSync } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { firstValueFrom } from 'rxjs';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openLibc } from '../../../src/os/libc/libc.ts';
import { notifyPlace } from '../../../src/sources/control/socket-place.ts';
import { RunSockets } from '../../../src/sources/probes/notify-sockets.ts';
import { runId } from '../../../src/streams/domain/ids.ts';
import { layoutOf } from '../../../src/streams/wire/layout.ts';
import { idOf } from '../../support/spec.ts';

const opened = openLibc();
const leaving = new EventEmitter();
afterAll(() => void leaving.emit('exit'));

const WEB = idOf('web');
const RUN = runId(1);

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'sup-notify-'));
});
afterEach(() => rmSync(home, { recursive: true }));

const sockets = (isShared = true): RunSockets => {
  if (opened.tag === 'absent') throw new Error(opened.detail);
  const place = notifyPlace({ layout: layoutOf(home), uid: process.getuid?.() ?? 0 });
  return new RunSockets({ libc: opened.libc, place: { ...place, isShared }, leaving });
};

const SENDING =
  'import socket,sys; socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM).sendto(sys.argv[2].encode(), sys.argv[1])';
const send = (path: string, text: string): Buffer => execFileSync('python3', ['-c', SENDING, path, text]);

describe('the sockets of runs', () => {
  it('what is sent during an upgrade is read by the next program, whose sockets are the same', async () => {
    const old = sockets();
    const path = old.open(WEB, RUN);
    send(path, 'READY=1');
    const next = sockets();
    next.inherit(old.handed());
    send(path, 'STATUS=Serving');
    expect(next.isReopened(WEB, RUN)).toBe(false);
    expect(next.isReopened(WEB, runId(2))).toBe(true);
    const read = await firstValueFrom(next.sent(WEB, RUN, undefined), { defaultValue: [] });
    expect(read.map(({ bytes }) => bytes.toString())).toEqual(['READY=1', 'STATUS=Serving']);
    expect(read.map(({ uid }) => uid)).toEqual([process.getuid?.(), process.getuid?.()]);
    expect(existsSync(path)).toBe(false);
  });

  it.each([
    ['stays if it has other files', true],
    ['is removed if it is their own', false],
  ])('the last socket takes those of killed supervisors with it; the directory %s', (_, isShared) => {
    const own = sockets(isShared);
    const directory = dirname(own.open(WEB, RUN));
    own.open(WEB, runId(2));
    writeFileSync(join(directory, 'nAAAAAA-'), '');
    if (isShared) writeFileSync(join(directory, 'sup.sock'), '');
    own.close(WEB, RUN);
    expect(readdirSync(directory)).toContain('nAAAAAA-');
    own.close(WEB, runId(2));
    expect(existsSync(directory) && readdirSync(directory)).toEqual(isShared && ['sup.sock']);
  });
});
