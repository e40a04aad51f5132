import { launchersOf } from '../../../src/sinks/privilege/launcher-pool.ts';
import { spawn } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { lastValueFrom, of } from 'rxjs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { HeldSockets } from '../../../src/sinks/process/held-sockets.ts';
import { exitLedger } from '../../../src/sinks/process/exit-ledger.ts';
import { killRun } from '../../../src/sinks/process/kill-tree.ts';
import { spawnSink } from '../../../src/sinks/process/start-run.ts';
import { indexed } from '../../../src/sources/process/process-table.ts';
import { processScanner } from '../../../src/sources/process/scan-members.ts';
import type { ProcessScanner } from '../../../src/streams/domain/ports.ts';
import type { ProcessRef } from '../../../src/streams/domain/service/process.ts';
import type { ServiceSpec } from '../../../src/streams/domain/declared/spec.ts';
import {
  all,
  exec,
  pidIn,
  refOf,
  RUN,
  sh,
  specOf,
  until,
  world,
  type World,
  start,
} from '../../fixtures/processes/world.ts';

let here: World;
let scanner: ProcessScanner;
let leaders: ProcessRef[];
const hunted = (...about: Parameters<typeof killRun>): Promise<undefined> =>
  lastValueFrom(killRun(...about), { defaultValue: undefined });

beforeEach(() => {
  here = world();
  scanner = processScanner({ dataDir: here.dataDir });
  leaders = [];
});
afterEach(async () => {
  for (const leader of leaders)
    await lastValueFrom(killRun(scanner, { service: specOf(sh('')).id, run: RUN, leader, targets: [] }), {
      defaultValue: undefined,
    });
  here.remove();
});

const FLEEING = '#!/bin/sh\n[ -e "$DIR/enough" ] || setsid sh "$DIR/flee" &\n';

const started = async (spec: ServiceSpec, dataDir = here.dataDir): Promise<ProcessRef> => {
  const environment = { PATH: '/usr/bin:/bin', DIR: here.dataDir };
  const mode = { privileged: false, launcher: '', credentialsAt: '' };
  const ports = {
    capture: here.capture,
    start,
    ledger: exitLedger(),
    sockets: new HeldSockets(() => undefined),
    environment,
    dataDir,
    mode,
    launchers: launchersOf({
      template: () => undefined,
      logError: () => undefined,
      endOf: () => Promise.resolve({ tag: 'unknown' }),
    }),
  };
  const [event] = await all(
    spawnSink(ports)(of({ type: 'spawn', service: spec.id, run: RUN, spec, fifoPair: 0 })),
  );
  if (event?.type !== 'spawned') throw new Error(JSON.stringify(event));
  leaders.push(event.process);
  return event.process;
};

const web = specOf(sh(''));
const members = async (leader: ProcessRef): Promise<readonly number[]> =>
  (await lastValueFrom(scanner.membersOf(web.id, RUN, leader), { defaultValue: [] })).map(({ pid }) => pid);
const file = (name: string): string => join(here.dataDir, name);
const kill = async (process: ProcessRef): Promise<void> => {
  globalThis.process.kill(process.pid, 'SIGKILL');
  await until(() => refOf(process.pid) === undefined);
};

describe('the members of a run', () => {
  it('the members of a run are its leader, children and grandchildren', async () => {
    const leader = await started(
      specOf(
        sh('sleep 60 & echo $! > $DIR/child; sh -c "sleep 60 & echo \\$! > $DIR/grandchild; wait" & wait'),
      ),
    );
    const family = [await pidIn(file('child')), await pidIn(file('grandchild'))];
    expect(await members(leader)).toEqual(expect.arrayContaining([leader.pid, ...family]));
  });

  it('a double fork with setsid is a member by its mark when each ancestor is gone', async () => {
    const leader = await started(
      specOf(sh('(setsid sh -c "echo \\$\\$ > $DIR/stray; exec sleep 60" &) ; exec sleep 60')),
    );
    const stray = await pidIn(file('stray'));
    await kill(leader);
    expect(await members(leader)).toEqual([stray]);
  });

  it('a child without an environment is a member by its session when the leader is gone', async () => {
    const leader = await started(
      specOf(sh('env -i /bin/sh -c "echo \\$\\$ > $DIR/bare; exec sleep 60" & wait')),
    );
    const bare = await pidIn(file('bare'));
    await kill(leader);
    expect(await members(leader)).toEqual([bare]);
  });

  it('a child without an environment in its own session is a member by its ancestors', async () => {
    const leader = await started(
      specOf(sh('env -i setsid /bin/sh -c "echo \\$\\$ > $DIR/bare; exec sleep 60" & wait')),
    );
    const bare = await pidIn(file('bare'));
    expect(await members(leader)).toContain(bare);
  });

  it('two scans in a row are never both empty while a process forks into new sessions', async () => {
    writeFileSync(file('flee'), FLEEING);
    const leader = await started(specOf(sh('sh $DIR/flee; echo > $DIR/began')));
    await until(() => existsSync(file('began')) && refOf(leader.pid) === undefined);
    const looks: number[] = [];
    for (let look = 0; look < 60; look += 1) looks.push((await members(leader)).length);
    writeFileSync(file('enough'), '');
    await until(async () => (await members(leader)).length === 0);
    expect(looks.filter((length, at) => length === 0 && looks[at + 1] === 0)).toEqual([]);
  });

  it.each([
    ['fifty scans if they are fast', 1, 50],
    ['a second if they are slow', 400, 3],
    ['three scans if one alone takes longer', 5_000, 3],
  ])('without a conclusive scan a run counts as empty after %s', async (_, scanMs, expected) => {
    let [clock, scans] = [0, 0];
    const table = {
      scan: () => {
        clock += scanMs;
        scans += 1;
        return Promise.resolve(indexed([], true));
      },
    };
    const busy = processScanner({ dataDir: here.dataDir, table, now: () => clock });
    const leader = { pid: 4_194_304, startTicks: 1 };
    const members$ = busy.membersOf(web.id, RUN, leader);
    expect(await lastValueFrom(members$, { defaultValue: undefined })).toEqual([]);
    expect(scans).toBe(expected);
  });

  it('there are no members once all have exited, also with zombies', async () => {
    // `sleep` becomes the parent of a child that ends and is never collected.
    const leader = await started(specOf(sh('sleep 0 & echo $! > $DIR/zombie; exec sleep 60')));
    const zombie = await pidIn(file('zombie'));
    await until(() => refOf(zombie) === undefined);
    expect(await members(leader)).toEqual([leader.pid]);
    await kill(leader);
    expect(await members(leader)).toEqual([]);
  });

  it('members of another supervisor’s service with the same name are not members', async () => {
    const mine = await started(web, here.dataDir);
    const other = await started(
      specOf(sh('(setsid sh -c "echo \\$\\$ > $DIR/other; exec sleep 60" &); exec sleep 60')),
      '/another/supervisor',
    );
    const stray = await pidIn(file('other'));
    expect(await members(mine)).not.toContain(stray);
    const others = processScanner({ dataDir: '/another/supervisor' });
    await hunted(others, { service: web.id, run: RUN, leader: other, targets: [] });
    await until(() => refOf(stray) === undefined);
  });

  it('the supervisor is never a member, even if it was started in the run', async () => {
    // This very process takes the part of a supervisor whose parent leads the run.
    const parent = refOf(process.ppid)!;
    const seen = await members(parent);
    expect(seen).toContain(parent.pid);
    expect(seen).not.toContain(process.pid);
  });
});

describe('a reused pid', () => {
  it('a reused pid is no member, nor is its session', async () => {
    const stranger = spawn('sh', ['-c', 'sleep 60 & wait'], { detached: true, stdio: 'ignore' });
    const now = refOf(stranger.pid!)!;
    const before = { pid: now.pid, startTicks: now.startTicks - 1 };
    expect(await members(before)).toEqual([]);
    expect(await members(now)).toContain(now.pid);
    leaders.push(now);
  });

  it('a reused pid proves nothing by its session if the run is older than this supervisor', async () => {
    const stranger = spawn('sh', ['-c', `sleep 60 & echo $! > ${file('left')}; exit`], {
      detached: true,
      stdio: 'ignore',
    });
    const left = await pidIn(file('left'));
    await until(() => refOf(stranger.pid!) === undefined);
    expect(await members({ pid: stranger.pid!, startTicks: 1 })).toEqual([]);
    process.kill(left, 'SIGKILL');
  });
});

describe('a mark', () => {
  it('a mark is read again after exec', async () => {
    const leader = await started(specOf(exec('sleep', '60')));
    const late = spawn(
      'sh',
      ['-c', `read go; SUP_UNIT='${web.id}#1' SUP_SUPERVISOR='${here.dataDir}' exec sleep 60`],
      { stdio: ['pipe', 'ignore', 'ignore'], detached: true },
    );
    expect(await members(leader)).not.toContain(late.pid);
    late.stdin.end('go\n');
    await until(() => refOf(late.pid!) !== undefined);
    let seen: readonly number[] = [];
    while (!seen.includes(late.pid!)) seen = await members(leader);
    expect(seen).toContain(leader.pid);
  });
});

describe('queries for members at the same time', () => {
  it('queries at the same time share one scan each and get right answers', async () => {
    const leader = await started(specOf(exec('sleep', '60')));
    const answers = await Promise.all(Array.from({ length: 200 }, () => members(leader)));
    expect(new Set(answers.map((answer) => answer.join()))).toEqual(new Set([String(leader.pid)]));
  });
});
