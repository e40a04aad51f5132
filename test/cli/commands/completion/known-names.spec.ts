import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { lastValueFrom } from 'rxjs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { knownNames, namesLeft } from '../../../../src/cli/commands/completion/known-names.ts';
import { stateWriter } from '../../../../src/sinks/store/save-changes.ts';
import { freshService } from '../../../../src/streams/domain/service/service.ts';
import { SHOP, specOf } from '../../../support/spec.ts';
import { contextIn, fakeWorld } from '../../support/fake-world.ts';

let dataDir: string;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'names-'));
});
afterEach(() => rmSync(dataDir, { recursive: true }));

const context = () => contextIn(fakeWorld({ environment: { SUP_DATA_DIR: dataDir } }));

const record = (): Promise<unknown> => {
  const services = ['web', 'api'].map((name) => freshService(specOf(name)));
  const written$ = stateWriter({ dataDir, logError: () => undefined }).flush({ project: SHOP, services });
  return lastValueFrom(written$, { defaultValue: undefined });
};

/** A supervisor that accepts connections and never answers. */
const besideSilence = async (play: () => Promise<void>): Promise<void> => {
  const sockets: Socket[] = [];
  const silent = createServer((socket) => sockets.push(socket)).listen(join(dataDir, 'control.sock'));
  try {
    await play();
  } finally {
    sockets.forEach((socket) => socket.destroy());
    silent.close();
  }
};

describe('the names that completion knows', () => {
  it('completion knows the recorded names if the supervisor does not answer quickly', async () => {
    await record();
    await besideSilence(async () => {
      expect(await knownNames(context())).toEqual({ projects: ['shop'], services: ['shop/web', 'shop/api'] });
    });
  });

  it('completion knows no names if no supervisor runs', async () => {
    await record();
    expect(await knownNames(context())).toEqual({ projects: [], services: [] });
  });

  it('completion of purge knows what is left if the supervisor does not answer quickly', async () => {
    await record();
    mkdirSync(join(dataDir, 'logs/old-shop'), { recursive: true });
    writeFileSync(join(dataDir, 'logs/old-shop/web.log'), '');
    await besideSilence(async () => {
      expect(await namesLeft(['purge', '-p', ''], context())).toEqual(['old-shop']);
    });
    expect(await namesLeft(['stop', '-p', ''], context())).toEqual([]);
  });
});
