// Needs the native addon.
// Privileged: the user of the commands of a service, and what that user can do with them.
import { chmodSync, chownSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { eventually, holds } from '../support/eventually.ts';
import { serviceLog, supervisorLog } from '../support/logs.ts';
import { killSupervisor, supervisorPid } from '../support/own-death.ts';
import {
  asRoot,
  environmentOf,
  manifest,
  namespaceOf,
  pidsOf,
  startSys,
  statusLine,
} from '../support/privileged.ts';
import { isAlive } from '../support/process-table.ts';
import { shell, steady, type Declared } from '../support/recipes.ts';
import type { Stage } from '../support/stage.ts';
import { come, expectDone } from '../support/witnesses.ts';

const WEB = 33;

/** A directory that belongs to the user of the service. */
const appOf = (stage: Stage): string => {
  const app = join(stage.work, 'app');
  mkdirSync(app);
  chmodSync(app, 0o777);
  chownSync(app, WEB, WEB);
  return app;
};

const linesIn = (file: string): readonly string[] =>
  existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean) : [];

/** Each command writes what `look` prints. A probe of the ready service would empty its file for a moment. */
const looking = (look: string, more: Declared): Declared =>
  steady({
    working_dir: 'app',
    skip: `${look} > skip; exit 1`,
    reload: `${look} > reload`,
    deployment: {
      pre_start: `${look} > pre_start`,
      health_check: { command: `${look} > health_check`, after_ready: 'off' },
    },
    ...more,
  });

/** Each command writes its uid. */
const telling = (more: Declared = {}): Declared => looking('id -u', { user: 'www-data', ...more });

const COMMANDS = ['skip', 'pre_start', 'health_check', 'reload'];

/** The users of the commands of one service, and the warnings of the load. */
const whoIn = async (
  stage: Stage,
  service: Declared,
  version = '3',
): Promise<{ readonly ids: readonly string[]; readonly said: string }> => {
  const app = appOf(stage);
  const outcome = await startSys(stage, { web: service }, version);
  expectDone(await stage.sup('reload', '--sys', 'web'));
  return { ids: COMMANDS.map((name) => linesIn(join(app, name)).join()), said: outcome.stderr };
};

describe('the commands of a service with a user', () => {
  asRoot('run as that user under version 3', async (stage) => {
    const { ids, said } = await whoIn(stage, telling());
    expect(ids).toEqual(['33', '33', '33', '33']);
    expect(said).not.toContain('ERR0747');
  });

  asRoot('and its process get the secrets, which only root can read', async (stage) => {
    chmodSync(stage.write('secret', 's3cret-5ab1\n'), 0o600);
    const more = {
      ...{ user: 'www-data', env: { secrets: { KEY: { file: 'secret' } } } },
      isolation: { seccomp: 'baseline' },
    };
    const app = appOf(stage);
    await startSys(stage, { web: looking('printf "%s\\n" "$KEY"', more) });
    expectDone(await stage.sup('reload', '--sys', 'web'));
    const told = COMMANDS.map((name) => linesIn(join(app, name)).join());
    expect(told).toEqual(COMMANDS.map(() => 's3cret-5ab1'));
    const { web } = await pidsOf(stage, { web: {} });
    expect(environmentOf(web)['KEY']).toBe('s3cret-5ab1');
    expect(environmentOf(await supervisorPid(stage))).not.toHaveProperty('KEY');
  });

  asRoot('run as root with run_as: supervisor, and that is warned of', async (stage) => {
    const { ids, said } = await whoIn(stage, telling({ run_as: 'supervisor' }));
    expect(ids).toEqual(['0', '0', '0', '0']);
    expect(said.match(/ERR0747/g)).toHaveLength(4);
  });

  asRoot('run as root under version 2 with a warning, but reload as before', async (stage) => {
    const { ids, said } = await whoIn(stage, telling(), '2');
    expect(ids).toEqual(['0', '0', '0', '33']);
    expect(said).toContain('deployment.pre_start');
    expect(said).toContain(`runs as root, and ${stage.work}/app is not root's alone`);
    const { stdout } = await stage.sup('validate', '--sys', '--json');
    expect(stdout).toContain('run_as: service runs it as www-data');
  });

  asRoot('run as root of the user namespace, which is not root outside, under version 3', async (stage) => {
    const look = `awk '{ print $2 }' /proc/self/uid_map`;
    const { ids, said } = await whoIn(stage, looking(look, { isolation: { user: true } }));
    expect(ids.map(Number).filter((outside) => outside > 65_535)).toHaveLength(4);
    expect(said).not.toContain('ERR0747');
  });

  asRoot('have the capabilities of the service under version 3', async (stage) => {
    const look = `awk '/CapEff/ { print $2 }' /proc/self/status`;
    const { ids } = await whoIn(stage, looking(look, { user: 'root', capabilities: ['KILL'] }));
    expect(ids).toEqual(COMMANDS.map(() => '0000000000000020'));
  });

  asRoot('and its candidate’s check run as that user in a rollout, the switch as root', async (stage) => {
    const app = appOf(stage);
    const slots = {
      slots: ['blue', 'green'],
      candidate_health_check: { command: ': {slot}; id -u > candidate', interval: '100ms', retries: 1 },
      switch_command: 'id -u > switch',
      switch_verify: { command: 'id -u > verify', interval: '100ms', retries: 1 },
    };
    const deployment = { blue_green: slots, grace_period: '100ms' };
    await startSys(stage, { web: steady({ user: 'www-data', working_dir: 'app', deployment }) });
    expect(await stage.sup('restart', '--sys', 'web')).toMatchObject({ status: 0 });
    const ids = ['candidate', 'switch', 'verify'].map((name) => linesIn(join(app, name)).join());
    expect(ids).toEqual(['33', '0', '0']);
  });

  asRoot('run as that user under version 2 with run_as: service', async (stage) => {
    const { ids, said } = await whoIn(stage, telling({ run_as: 'service' }), '2');
    expect(ids).toEqual(['33', '33', '33', '33']);
    expect(said).not.toContain('ERR0747');
  });
});

describe('the warning of commands that run as root', () => {
  asRoot('names a program of somebody else, also of a hook, and says nothing of root’s', async (stage) => {
    const app = appOf(stage);
    chownSync(stage.write('app/hook.sh', 'true'), WEB, WEB);
    stage.declare(
      manifest(
        {
          quiet: steady({ user: 'www-data', deployment: { pre_start: 'test -d /tmp' } }),
          loud: steady({ user: 'www-data', hooks: { onstart: { command: `sh ${app}/hook.sh` } } }),
        },
        '2',
      ),
    );
    // What lies below a sticky directory of root's is root's as well.
    const { stdout } = await stage.sup('validate', '--sys', '--json');
    const { problems } = JSON.parse(stdout) as { problems: readonly { path: string; message: string }[] };
    expect(problems.map(({ path }) => path)).toEqual(['services.loud.hooks.onstart.command']);
    expect(problems[0]?.message).toContain(`${app}/hook.sh is not root's alone`);
  });
});

describe('a command that runs as the service', () => {
  asRoot('runs a replaced script as the user, and gives it nothing of root', async (stage) => {
    const app = appOf(stage);
    chownSync(stage.write('app/prepare.sh', 'true'), WEB, WEB);
    const replace = `echo 'id -u >> ${app}/proof; echo "$HOME [$SECRET]" >> ${app}/proof' > prepare.sh`;
    const web = shell(`${replace}; exec sleep 1000`, {
      ...{ user: 'www-data', working_dir: 'app' },
      deployment: { pre_start: 'sh prepare.sh' },
    });
    stage.declare(manifest({ web }));
    const environment = { SECRET: 'of root' };
    expectDone(await stage.begin(['start', '--sys', '--daemonize'], { environment }).ended);
    await eventually({
      what: 'the script of the service',
      look: () => (readFileSync(join(app, 'prepare.sh'), 'utf8').includes('proof') ? true : undefined),
    });
    expectDone(await stage.sup('restart', '--sys', 'web'));
    expect(linesIn(join(app, 'proof'))).toEqual(['33', '/var/www []']);
  });

  asRoot('is confined as the service is, in its network once it runs', async (stage) => {
    const app = appOf(stage);
    const look = (name: string): string =>
      `grep -E "^(Seccomp|CapEff):" /proc/self/status > ${name}; readlink /proc/self/ns/net >> ${name}; ls /root`;
    const web = steady({
      ...{ user: 'www-data', working_dir: 'app' },
      capabilities: [],
      isolation: { network: true, seccomp: 'baseline' },
      deployment: {
        pre_start: `${look('before')}; echo said > /dev/stderr`,
        health_check: { command: `${look('health')}; true`, after_ready: 'off' },
      },
    });
    expectDone(await startSys(stage, { web }));
    const pids = await pidsOf(stage, { web });
    const confined = ['CapEff:\t0000000000000000', 'Seccomp:\t2'];
    expect(linesIn(join(app, 'health'))).toEqual([...confined, namespaceOf(pids.web, 'net')]);
    expect(linesIn(join(app, 'before')).slice(0, 2)).toEqual(confined);
    expect(linesIn(join(app, 'before'))[2]).not.toBe(namespaceOf('self', 'net'));
    expect(statusLine(pids.web, 'Seccomp')).toEqual(['2']);
    await holds('what pre_start said', () => /hook said/.test(serviceLog(stage, 'web').join('\n')));
  });

  // `$$` stands for one `$` in a manifest.
  asRoot('is killed with all it started when its time is up', async (stage) => {
    const app = appOf(stage);
    const family = 'echo $$$$ > own; (setsid sh -c "echo \\$$\\$$ > stray; exec sleep 1000" &); sleep 1000';
    const web = steady({
      ...{ user: 'www-data', working_dir: 'app', restart_policy: 'never' },
      deployment: {
        health_check: { command: family, attempt_timeout: '3s', total_timeout: '3s', retries: 1 },
      },
    });
    const outcome = await startSys(stage, { web });
    expect(outcome.stderr).toContain('ERR0023');
    const pids = ['own', 'stray'].map((name) => linesIn(join(app, name)).join());
    expect(pids.every((pid) => /^\d+$/.test(pid))).toBe(true);
    await eventually({
      what: 'the end of the probe and all it started',
      look: () => (pids.some((pid) => existsSync(`/proc/${pid}`)) ? undefined : true),
    });
  });

  asRoot('is ended by the next supervisor after supervisor and guardian were killed', async (stage) => {
    const app = appOf(stage);
    const family = 'echo $$$$ > own; (setsid sh -c "echo \\$$\\$$ > stray; exec sleep 1000" &); sleep 1000';
    const web = steady({ user: 'www-data', working_dir: 'app', deployment: { pre_start: family } });
    stage.declare(manifest({ web }));
    const starting = stage.begin(['start', '--sys', '--daemonize']);
    const pids = await eventually({
      what: 'both processes of pre_start',
      look: () => {
        const found = ['own', 'stray'].map((name) => linesIn(join(app, name)).join());
        return found.every((pid) => /^\d+$/.test(pid)) ? found : undefined;
      },
    });
    await killSupervisor(stage);
    await starting.ended;
    stage.declare(manifest({ other: steady() }), 'other.yaml');
    expectDone(await stage.sup('start', '--sys', '--daemonize', '-c', 'other.yaml'));
    await holds('the end of both', () => !pids.some((pid) => isAlive(Number(pid))));
    await holds('the warning', () =>
      supervisorLog(stage).some((line) => line.includes('pre_start of web was under way when')),
    );
  });

  asRoot('has its budget, and is told with its key where it cannot be run', async (stage) => {
    stage.settings('<timeouts><pre_start_secs>1</pre_start_secs></timeouts>');
    appOf(stage);
    const more = { working_dir: 'app', restart_policy: 'never' };
    const slow = steady({ ...more, user: 'www-data', deployment: { pre_start: 'sleep 1000' } });
    const unknown = steady({ ...more, user: 'no-such-user', deployment: { pre_start: 'true' } });
    const { stderr } = await startSys(stage, { slow, unknown });
    expect(stderr).toContain('ERR0108');
    expect(stderr).toContain('ERR0742 unknown: not started: user: this machine has no user "no-such-user"');
    await come(stage, { slow: 'failed', unknown: 'failed' });
  });
});
