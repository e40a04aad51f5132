// Needs the native addon.
// The state directory of a service: made once for its user, and never changed or removed.
import {
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { linesCome } from '../support/marks.ts';
import { asNobody, asRoot, manifest, pidsOf, startSys } from '../support/privileged.ts';
import { shell, steady, type Declared } from '../support/recipes.ts';
import { expectDone, expectFailed } from '../support/witnesses.ts';

const WRITER = 'echo run >>"$$STATE_DIRECTORY/runs"; exec sleep 1000';
const WWW_DATA = 33;

/** A place below a home, which only root may write. */
const home = (): string => {
  const made = mkdtempSync('/root/sup-state-');
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
  return made;
};

/** The lines of the file, once there are so many of them: a service may be ready before its shell begins. */
const runsCome = (file: string, count: number): Promise<readonly string[]> =>
  eventually({
    what: `${count} lines in ${file}`,
    look: () => {
      const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean) : [];
      return lines.length >= count ? lines : undefined;
    },
  });

const ownerOf = (path: string): string => {
  const { uid, gid, mode } = statSync(path);
  return `${uid}:${gid} ${(mode & 0o7777).toString(8)}`;
};

asRoot('a state directory is made for the user of the service, and survives everything', async (stage) => {
  const place = join(home(), 'deep');
  const state = join(place, 'web');
  const services: Record<string, Declared> = {
    web: shell(WRITER, {
      user: String(WWW_DATA),
      group: String(WWW_DATA),
      state_dir: state,
      isolation: { protect: 'strict', landlock: { ro_paths: ['/'], rw_paths: [] } },
      deployment: { pre_start: 'echo before >>"$$STATE_DIRECTORY/runs"' },
    }),
    two: steady({ state_dir: `${place}/two-{instance}`, replicas: 2 }),
  };
  expectDone(await startSys(stage, services));
  await runsCome(join(state, 'runs'), 2);
  expect([ownerOf(state), ownerOf(place)]).toEqual([`${WWW_DATA}:${WWW_DATA} 700`, '0:0 755']);
  expect([ownerOf(`${place}/two-1`), ownerOf(`${place}/two-2`)]).toEqual(['0:0 700', '0:0 700']);
  expectDone(await stage.sup('restart', 'web', '--sys'));
  const { web } = await pidsOf(stage, { web: {} });
  const runs = await runsCome(join(state, 'runs'), 4);
  expect(runs).toEqual(['before', 'run', 'before', 'run']);
  expect(readFileSync(`/proc/${web}/environ`, 'utf8').split('\0')).toContain(`STATE_DIRECTORY=${state}`);
  expectDone(await stage.sup('stop', '--sys'));
  expectDone(await stage.sup('forget', 'sup.yaml', '--sys'));
  expect(await runsCome(join(state, 'runs'), 4)).toEqual(runs);
});

asRoot(
  'what is at the path of another user, or is a link, keeps the service down unchanged',
  async (stage) => {
    const place = home();
    const [other, link] = [join(place, 'other'), join(place, 'link')];
    mkdirSync(other);
    chownSync(other, 1, 1);
    symlinkSync('/etc', link);
    const user = { user: String(WWW_DATA), group: String(WWW_DATA), restart_policy: 'never' };
    const failed = await startSys(stage, {
      web: steady({ ...user, state_dir: other }),
      led: steady({ ...user, state_dir: link }),
    });
    expect(failed.status).not.toBe(0);
    expect(failed.stderr).toContain(`state_dir: ${other} belongs to user 1, and the service runs as 33`);
    expect(failed.stderr).toContain(`chown -R 33:33 ${other}`);
    expect(failed.stderr).toContain(`state_dir: ${link} is a symbolic link`);
    expect([ownerOf(other), ownerOf('/etc').split(' ')[0]]).toEqual(['1:1 755', '0:0']);
  },
);

asRoot('root makes no state directory where another user could redirect it', async (stage) => {
  const place = home();
  chownSync(place, WWW_DATA, WWW_DATA);
  const failed = await startSys(stage, { web: steady({ state_dir: join(place, 'web') }) });
  expectFailed(failed, 'ERR0219');
  expect(existsSync(join(place, 'web'))).toBe(false);
});

asNobody('without root it belongs to the supervisor’s user, also inside a user namespace', async (stage) => {
  const isolation = { user: true, pid: true, protect: 'strict' };
  stage.declare(
    manifest({
      web: shell(WRITER, { state_dir: 'data/web' }),
      inner: shell(WRITER, { state_dir: 'data/inner', isolation }),
    }),
  );
  expectDone(await stage.sup('start', '--daemonize'));
  for (const name of ['web', 'inner']) {
    expect(ownerOf(join(stage.work, 'data', name))).toBe('65534:65534 700');
    expect(await linesCome(stage, `data/${name}/runs`, 1)).toEqual(['run']);
  }
});
