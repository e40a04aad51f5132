// Running services: a signal to the main process, a reload without a restart, a command in their place.
import { chmodSync, existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { holds } from '../support/eventually.ts';
import { linesOf } from '../support/marks.ts';
import { supervisorPid } from '../support/own-death.ts';
import { isAlive } from '../support/process-table.ts';
import { asRoot, runningSys } from '../support/privileged.ts';
import { loose, project, shell, steady } from '../support/recipes.ts';
import { scenario } from '../support/scenario.ts';
import { agree, come, expectDone, expectFailed, started } from '../support/witnesses.ts';

/** Writes the name of each signal to a file and goes on. */
const listening = (file: string): string =>
  `trap 'echo HUP >>${file}' HUP; trap 'echo USR1 >>${file}' USR1; echo up >>${file}; while :; do sleep 0.05; done`;

const said = (file: string) => async (stage: Parameters<typeof linesOf>[0], line: string) =>
  holds(`${line} in ${file}`, () => linesOf(stage, file).includes(line));

const heard = said('heard');

describe('kill', () => {
  scenario('kill sends a signal to the main process of a service only', async (stage) => {
    await started(stage, project('shop', { web: shell(listening('heard')), other: steady() }));
    await heard(stage, 'up');
    const before = await agree(stage, { 'shop/web': 'running', 'shop/other': 'running' });
    const outcome = await stage.sup('kill', '-s', 'usr1', 'web');
    expectDone(outcome);
    expect(outcome.stdout).toBe(
      `1 service signalled: shop/web\nSIGUSR1 sent to shop/web (pid ${before['shop/web'].pid})\n`,
    );
    await heard(stage, 'USR1');
    const [web] = (await stage.inspect('web')).services;
    const sent = 'SIGUSR1, sent by sup kill';
    expect(web?.history.at(-1)).toMatchObject({
      from: 'running',
      to: 'running',
      cause: 'acted',
      reason: sent,
    });
    await holds('the stored event', async () => {
      const told = await stage.sup('events', 'web', '-n', '1');
      return told.stdout.includes(`shop/web running (pid ${before['shop/web'].pid}, ${sent})`);
    });
    const after = await agree(stage, { 'shop/web': 'running', 'shop/other': 'running' });
    expect([after['shop/web'].pid, after['shop/other'].pid]).toEqual([
      before['shop/web'].pid,
      before['shop/other'].pid,
    ]);
  });

  scenario('what follows a kill is decided by the restart policy', async (stage) => {
    await started(stage, loose({ web: steady({ restart_policy: 'never' }) }));
    expectDone(await stage.sup('kill', '-s', '9', 'web'));
    const { web } = await come(stage, { web: 'failed' });
    expect(web.last_exit).toMatchObject({ signal: 'SIGKILL' });
  });

  scenario('kill refuses what it cannot do, and then sends nothing', async (stage) => {
    await started(stage, loose({ web: shell(listening('heard')), down: steady() }));
    await heard(stage, 'up');
    expectDone(await stage.sup('stop', 'down'));
    const unknown = await stage.sup('kill', '-s', 'USR3', 'web');
    expectFailed(unknown, 'ERR0200', 2);
    expect(unknown.stderr).toContain('did you mean "USR1"?');
    expectFailed(await stage.sup('kill', 'wbe'), 'ERR0202');
    const refused = await stage.sup('kill', '-s', 'HUP', 'web', 'down');
    expectFailed(refused, 'ERR0119');
    expect(refused.stderr).toContain('not running: down; nothing was sent');
    expectDone(await stage.sup('kill', '-s', 'USR1', '*'));
    await heard(stage, 'USR1');
    expect(linesOf(stage, 'heard')).not.toContain('HUP');
  });
});

const UNHEARD = { warnings: [expect.stringMatching(/^it will not stand in the history: /)] };

describe('kill with a frozen supervisor', () => {
  scenario(
    'a signal arrives although the supervisor is frozen, and both output forms say that the history lacks it',
    async (stage) => {
      const signal = { reload: { signal: 'HUP' } };
      await started(stage, loose({ web: shell(listening('heard'), signal), api: steady(signal) }));
      await heard(stage, 'up');
      const pid = await supervisorPid(stage);
      process.kill(pid, 'SIGSTOP');
      try {
        const told = await stage.sup('kill', 'web', '-s', 'USR1');
        expectDone(told);
        expect(told.stderr).toMatch(/^warning: it will not stand in the history: /);
        await heard(stage, 'USR1');
        const document = await stage.sup('kill', 'web', '-s', 'USR1', '--json');
        expect(JSON.parse(document.stdout)).toMatchObject(UNHEARD);
        const reloaded = await stage.sup('reload', 'web', 'api', '--json');
        expect(JSON.parse(reloaded.stdout)).toMatchObject(UNHEARD);
      } finally {
        process.kill(pid, 'SIGCONT');
      }
    },
  );
});

describe('reload', () => {
  scenario('reload sends the declared signal and restarts nothing', async (stage) => {
    await started(stage, loose({ web: shell(listening('heard'), { reload: { signal: 'HUP' } }) }));
    await heard(stage, 'up');
    const before = await agree(stage, { web: 'running' });
    expectDone(await stage.sup('reload', 'web'));
    await heard(stage, 'HUP');
    const after = await agree(stage, { web: 'running' });
    expect([after.web.pid, after.web.run]).toEqual([before.web.pid, before.web.run]);
  });

  scenario('reload runs the declared command, which gets the main process', async (stage) => {
    const reload = 'echo "$SUP_PID $GREETING ${SUP_UNIT:-unmarked}" >told; echo loud';
    await started(stage, loose({ web: steady({ reload, env: { vars: { GREETING: 'hello' } } }) }));
    const outcome = await stage.sup('reload', 'web', '--json');
    expect(JSON.parse(outcome.stdout)).toMatchObject({ services: [{ what: 'reloaded' }] });
    expect(outcome.stderr).toBe('loud\n');
    const { web } = await agree(stage, { web: 'running' });
    expect(linesOf(stage, 'told')).toEqual([`${web.pid} hello unmarked`]);
  });

  scenario('reload says what to declare if it is not declared, and what failed', async (stage) => {
    await started(stage, loose({ plain: steady(), bad: steady({ reload: 'exit 3' }) }));
    const plain = await stage.sup('reload', 'plain');
    expectFailed(plain, 'ERR0213');
    expect(plain.stderr).toContain('reload: { signal: HUP }');
    const bad = await stage.sup('reload', 'bad');
    expectFailed(bad, 'ERR0119');
    expect(bad.stderr).toContain('the reload command of bad exited with 3');
    await agree(stage, { plain: 'running', bad: 'running' });
  });

  scenario('a reload command that does not end is killed with its children', async (stage) => {
    stage.settings('<timeouts><pre_start_secs>3</pre_start_secs></timeouts>');
    const reload = 'sleep 1001 & echo $! >left; trap "" TERM; while :; do sleep 0.1; done';
    await started(stage, loose({ web: steady({ reload }) }));
    const outcome = await stage.sup('reload', 'web');
    expectFailed(outcome, 'ERR0119');
    expect(outcome.stderr).toContain('the reload command of web did not end within 3 s (pre_start_secs)');
    const [left = '0'] = linesOf(stage, 'left');
    await holds('the end of what it has started', () => !isAlive(Number(left)));
    await agree(stage, { web: 'running' });
  });
});

describe('exec', () => {
  const told = 'pwd; echo "$FROM $COLOUR ${SUP_UNIT:-unmarked}"; exit 7';

  scenario('exec runs in the directory and with the variables of the service', async (stage) => {
    stage.write('app/here', '');
    const env = { vars: { COLOUR: '${SHADE}-blue' } };
    stage.declare(loose({ web: steady({ working_dir: 'app', env }) }));
    const environment = { FROM: 'the supervisor', SHADE: 'dark' };
    expectDone(await stage.begin(['start', '--daemonize'], { environment }).ended);
    const { status, stdout } = await stage.sup('exec', 'web', '--', 'sh', '-c', told);
    expect(stdout).toBe(`${stage.work}/app\nthe supervisor dark-blue unmarked\n`);
    expect(status).toBe(7);
    expectDone(await stage.sup('stop', 'web'));
    expect((await stage.sup('exec', 'web', '--', 'true')).status).toBe(0);
    expect((await stage.sup('exec', 'web', '--', 'sh', '-c', 'kill -9 $$')).status).toBe(137);
  });

  scenario('exec names a mistake in its line and in its program', async (stage) => {
    await started(stage, loose({ web: steady() }));
    const missing = await stage.sup('exec', 'web', '--', '/no/such');
    expectFailed(missing, 'ERR0113');
    expect(missing.stderr).not.toContain('sup why');
    expectFailed(await stage.sup('exec', 'wbe', '--', 'true'), 'ERR0202');
    const bare = await stage.sup('exec', 'web', 'echo', 'x');
    expectDone(bare);
    expect(bare.stdout).toBe('x\n');
  });
});

const LISTENER =
  "require('net').createServer().listen(8000, '127.0.0.1', () => require('fs').writeFileSync('up', ''))";

describe('inspect', () => {
  asRoot('the ports of a service of another user in its own network are listed', async (stage) => {
    const directory = join(stage.root, 'www');
    mkdirSync(directory);
    chmodSync(directory, 0o777);
    const { web } = await runningSys(stage, {
      web: {
        exec: [process.execPath, '-e', LISTENER],
        ...{ user: 'www-data', working_dir: directory, isolation: { network: true } },
      },
    });
    await holds('the server', () => existsSync(join(directory, 'up')));
    const [inspected] = (await stage.inspect('web')).services;
    expect(inspected?.listening).toEqual([{ protocol: 'tcp', address: '127.0.0.1', port: 8000, pid: web }]);
    expect((await stage.sup('inspect', 'web')).stdout).toContain(`tcp 127.0.0.1:8000 (pid ${web})`);
  });
});
