import { mkdtempSync, existsSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  claimSocketPlace,
  isNotifySocket,
  notifyPlace,
  prepareServiceSocket,
  prepareSocketPlace,
  refuseSocketPlace,
  socketPlace,
  serviceSocketPath,
} from '../../../src/sources/control/socket-place.ts';
import { layoutOf, type Layout } from '../../../src/streams/wire/layout.ts';

const uid = process.getuid?.() ?? 0;
let home: string;
const short = (): Layout => layoutOf(home);
/** In the same directory, so that the pointer file can be written. */
const long = (): Layout => ({ ...layoutOf(home), socket: `${home}/${'x'.repeat(100)}/control.sock` });

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'sup-place-'));
});
afterEach(() => rmSync(home, { recursive: true }));

describe('the place of the control socket', () => {
  it('the socket is in the data directory if its path is short enough, without a pointer file', async () => {
    writeFileSync(short().socketPointer, '/somewhere/else');
    expect(await prepareSocketPlace({ layout: short(), uid })).toBe(short().socket);
    expect(existsSync(short().socketPointer)).toBe(false);
  });

  it('the length of a socket path is counted in bytes', () => {
    const umlauts = `/${'ü'.repeat(60)}/control.sock`;
    // Of 107 bytes, which is what `sun_path` holds.
    expect(umlauts.length).toBeLessThan(107);
    expect(socketPlace({ layout: { ...short(), socket: umlauts }, uid })).not.toBe(umlauts);
  });

  it('for a long path the socket is in a private runtime directory, named by the pointer file', async () => {
    const path = await prepareSocketPlace({ layout: long(), runtimeDir: join(home, 'run'), uid });
    expect(path).toMatch(/\/run\/sup-[0-9a-f]{16}\/control\.sock$/);
    expect(statSync(dirname(path)).mode & 0o777).toBe(0o700);
    expect(readFileSync(long().socketPointer, 'utf8')).toBe(`${path}\n`);
  });

  it('without a usable runtime directory the socket is in the user’s own part of /tmp', () => {
    const ofUser = new RegExp(`^/tmp/sup-${uid}/[0-9a-f]{16}\\.sock$`);
    expect(socketPlace({ layout: long(), uid })).toMatch(ofUser);
    expect(socketPlace({ layout: long(), runtimeDir: `/${'y'.repeat(100)}`, uid })).toMatch(ofUser);
  });

  it('each data directory has its own socket path', () => {
    const other = { ...long(), dataDir: '/other' };
    expect(socketPlace({ layout: other, uid })).not.toBe(socketPlace({ layout: long(), uid }));
  });

  it('a directory that another user prepared is never used for the socket', async () => {
    const runtimeDir = join(home, 'run');
    const place = { layout: long(), runtimeDir, uid };
    const directory = dirname(await prepareSocketPlace(place));
    rmSync(directory, { recursive: true });
    symlinkSync('/tmp', directory);
    await expect(prepareSocketPlace(place)).rejects.toThrow('it is no directory');
    rmSync(directory);
    await expect(prepareSocketPlace({ ...place, uid: uid + 1 })).rejects.toThrow(`belongs to user ${uid}`);
  });

  it('an unusable place is refused before the start, and created only by a start', () => {
    const place = { layout: long(), runtimeDir: join(home, 'run'), uid };
    const directory = dirname(socketPlace(place));
    expect([refuseSocketPlace(place), existsSync(directory)]).toEqual([undefined, false]);
    expect([claimSocketPlace(place), existsSync(directory)]).toEqual([undefined, true]);
    for (const look of [refuseSocketPlace, claimSocketPlace]) {
      expect(look({ ...place, uid: uid + 1 })).toMatchObject({
        ...{ code: 'ERR0701', file: directory },
        detail: expect.stringContaining(`it belongs to user ${uid}, and this is user ${uid + 1}`) as string,
      });
    }
    expect(claimSocketPlace({ ...place, layout: short(), uid: uid + 1 })).toBeUndefined();
  });

  it('with --sys the place is root’s own, whatever the variable says, and never writable by others', async () => {
    const place = { layout: long(), runtimeDir: join(home, 'run'), uid, sys: true };
    expect(socketPlace(place)).toMatch(/^\/run\/sup-[0-9a-f]{16}\/control\.sock$/);
    const open = { ...long(), socket: short().socket };
    expect(await prepareSocketPlace({ ...place, layout: open })).toBe(short().socket);
  });
});

describe('the place of the service socket', () => {
  it('with --sys it is in /run, for each data directory another one', () => {
    const inRun = (dataDir: string): string => serviceSocketPath(dataDir, { sys: true });
    expect(inRun('/a')).not.toBe(inRun('/b'));
    expect(inRun('/a')).toMatch(/^\/run\/sup-spawn-[0-9a-f]{16}\.sock$/);
  });

  it('the sockets of runs are beside it, or with --sys in a directory of their own', () => {
    const beside = notifyPlace({ layout: short(), uid });
    expect(beside).toMatchObject({ directory: join(home, 'run'), isShared: true });
    expect(beside.of('web#1')).not.toBe(beside.of('web#2'));
    expect(dirname(beside.of('web#1'))).toBe(beside.directory);
    expect(isNotifySocket(basename(beside.of('web#1')))).toBe(true);
    expect(isNotifySocket('sup.sock')).toBe(false);
    const { directory, isShared } = notifyPlace({ layout: short(), uid, sys: true });
    expect([directory, isShared]).toEqual([expect.stringMatching(/^\/run\/sup-notify-[0-9a-f]{16}$/), false]);
  });

  it('without --sys it is in a private directory of the data directory', () => {
    const path = prepareServiceSocket({ layout: short(), uid });
    expect(path).toBe(join(home, 'run/sup.sock'));
    expect(statSync(dirname(path)).mode & 0o777).toBe(0o700);
  });

  it('for a long path without --sys it is in /tmp', () => {
    const path = serviceSocketPath(`/${'x'.repeat(100)}`, { sys: false });
    expect(path).toMatch(/^\/tmp\/sup-run-[0-9a-f]{16}\/sup\.sock$/);
  });
});
