import { describe, expect, it } from 'vitest';
import { loggedServices } from '../../src/client/past-services.ts';
import { Failure } from '../../src/streams/views/errors/command-failure.ts';
import { temporary, write } from '../cli/commands/logs/harness.ts';

describe('services that have a log', () => {
  it('services of each project with a log are listed, also with rotated files only', () => {
    const dataDir = temporary();
    for (const name of [
      'shop/web.log',
      'shop/web.log.1',
      'shop/old.log.2',
      'shop/web.log.log',
      '__loose__/job.log',
    ])
      write(`${dataDir}/logs/${name}`);
    write(`${dataDir}/logs/supervisor-2026-11-21.log`);
    write(`${dataDir}/logs/shop/notes.txt`);
    expect(loggedServices(dataDir)).toEqual(['__loose__/job', 'shop/old', 'shop/web', 'shop/web.log']);
  });

  it('without logs the list is empty', () => {
    expect(loggedServices(`${temporary()}/none`)).toEqual([]);
  });

  it('an unreadable directory is an error, not an empty list', () => {
    const dataDir = temporary();
    write(`${dataDir}/logs`);
    expect(() => loggedServices(dataDir)).toThrow(Failure);
    expect(() => loggedServices(dataDir)).toThrow(/cannot be used/);
  });
});
