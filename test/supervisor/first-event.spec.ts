import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { lastValueFrom } from 'rxjs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { firstEvent } from '../../src/supervisor/first-event.ts';
import { commandLedger } from '../../src/sinks/process/commands/commands-on-disk.ts';
import { registryWriter } from '../../src/sinks/store/registry-writer.ts';
import { stateWriter } from '../../src/sinks/store/save-changes.ts';
import { environmentOf } from '../../src/os/proc/process-facts.ts';
import { LOOSE, runId } from '../../src/streams/domain/ids.ts';
import { DEFAULT_SETTINGS } from '../../src/streams/domain/declared/settings.ts';
import { seconds } from '../../src/streams/domain/time.ts';
import { until } from '../fixtures/processes/world.ts';
import { SHOP, idOf } from '../support/spec.ts';
import { serviceIn } from '../support/states.ts';

let dataDir: string;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'sup-first-'));
});
afterEach(() => rmSync(dataDir, { recursive: true }));

const begin = (...found: Parameters<typeof firstEvent>[1][]) =>
  firstEvent({ dataDir, sys: false, environment: {} }, ...found);
const ports = () => ({ dataDir, logError: () => undefined });

describe('the first event', () => {
  it('the first event of an empty data directory has nothing and leaves it empty', async () => {
    expect(await begin()).toEqual({
      type: 'booted',
      settings: DEFAULT_SETTINGS,
      registered: [],
      restored: [],
      found: [],
      sameBoot: true,
      warnings: [],
    });
    expect(existsSync(join(dataDir, 'projects'))).toBe(false);
  });

  it('the first event has settings, recorded services, and the manifests as they are now', async () => {
    const manifest = join(dataDir, 'sup.yaml');
    writeFileSync(manifest, 'version: 2\nservices: { web: { exec: [sleep, "1"] } }\n');
    writeFileSync(
      join(dataDir, 'supervisor.xml'),
      '<supervisor><timeouts><stop_verify_secs>3</stop_verify_secs></timeouts></supervisor>',
    );
    const web = serviceIn('backing-off');
    const nothing = { defaultValue: undefined };
    const manifests = [manifest, join(dataDir, 'gone.yaml')];
    await lastValueFrom(stateWriter(ports()).flush({ project: SHOP, services: [web] }), nothing);
    await lastValueFrom(registryWriter(ports()).flush({ manifests, projects: [SHOP, LOOSE] }), nothing);
    const event = await begin();
    expect(event).toMatchObject({ restored: [web], sameBoot: true, unrecorded: [LOOSE], warnings: [] });
    expect(event.settings.stopVerify).toBe(seconds(3));
    expect(event.registered.map(({ load }) => load.manifest?.services.map(({ name }) => name))).toEqual([
      ['web'],
      undefined,
      undefined,
    ]);
    expect(event.registered[2]?.path).toBe(web.spec.manifest);
    expect(event.registered[1]?.load.problems).not.toEqual([]);
  });

  it('the first event warns of unreadable files and moves them aside', async () => {
    mkdirSync(join(dataDir, 'projects/shop'), { recursive: true });
    writeFileSync(join(dataDir, 'projects/shop/state.json'), 'no json');
    writeFileSync(join(dataDir, 'supervisor.xml'), '<supervisor>');
    const { warnings, restored } = await begin();
    expect(restored).toEqual([]);
    expect(warnings.join('\n')).toMatch(/supervisor\.xml[^]*state\.json/);
    expect(existsSync(join(dataDir, 'projects/shop/state.json'))).toBe(false);
  });

  it('the first event names commands of a dead supervisor that it ended, not those already over', async () => {
    const environment = { PATH: '/usr/bin:/bin', SUP_UNIT: '!command/x#1', SUP_SUPERVISOR: dataDir };
    const child = spawn('sleep', ['60'], { detached: true, stdio: 'ignore', env: environment });
    const gone = once(child, 'exit');
    // During `exec` it has no environment.
    await until(() => environmentOf(child.pid ?? 0).length > 0);
    const ledger = commandLedger(dataDir);
    ledger.begin('!command/x#1', 'hook onerr of web');
    ledger.begin('!command/x#2', 'pre_start of api');
    const { said } = await begin();
    await gone;
    expect(child.signalCode).toBe('SIGKILL');
    expect(said).toEqual([
      'hook onerr of web was under way when the supervisor before this one ended; it was killed',
    ]);
  });

  it('the first event has the live runs that the process scan found', async () => {
    const found = [{ service: idOf('web'), run: runId(3), process: { pid: 3, startTicks: 3 } }];
    const asked: string[] = [];
    const look = (place: string) => {
      asked.push(place);
      return Promise.resolve({ found, ignored: [] });
    };
    expect(await begin(look)).toMatchObject({ found });
    expect(asked).toEqual([dataDir]);
  });
});
