import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { hookPrograms } from '../../../../src/cli/commands/security/hook-programs.ts';
import { ms } from '../../../../src/streams/domain/time.ts';
import { specOf } from '../../../support/spec.ts';

let place = '';

const program = (name: string, mode = 0o755): string => {
  const path = join(place, name);
  writeFileSync(path, '#!/bin/sh\n');
  chmodSync(path, mode);
  return path;
};

beforeEach(() => {
  place = mkdtempSync(join(tmpdir(), 'sup-hooks-'));
  mkdirSync(join(place, 'bin'));
});

afterEach(() => rmSync(place, { recursive: true }));

describe('programs that commands of services name', () => {
  it('programs are found in each kind of command, by absolute and relative paths, once each', () => {
    const [hook, stop, reload, start, alert] = ['hook', 'stop', 'bin/reload', 'start', 'alert'].map((name) =>
      program(name),
    );
    const spec = specOf('web', {
      directory: place,
      hooks: {
        onstart: { command: `${hook} --now` },
        onerr: { command: `cd / && FOO=1 ${hook} || true` },
      },
      stopCommand: './stop >/dev/null',
      reload: { tag: 'command', command: `sh -c "bin/reload"` },
      skip: `! $(${hook})`,
      alerts: [
        {
          ...{ on: [], timeout: ms(1), recoveredAfter: ms(1) },
          to: { tag: 'command', command: './alert', directory: place },
        },
      ],
    });
    const other = {
      ...spec,
      deployment: { ...spec.deployment, preStart: `../${basename(place)}/start` },
    };
    expect(hookPrograms([other]).toSorted()).toEqual([hook, stop, reload, start, alert].toSorted());
  });

  it('what is no program is left out: data, directories, URLs and missing files', () => {
    program('data', 0o644);
    const spec = specOf('web', {
      directory: place,
      hooks: { onstart: { command: 'curl -o ./data http://localhost/x ./bin ./missing; echo hi' } },
    });
    expect(hookPrograms([spec])).toEqual([]);
  });

  it('commands that run as the user of the service are left out', () => {
    const spec = specOf('web', {
      directory: place,
      runAs: 'service',
      hooks: { onstart: { command: program('hook') } },
    });
    expect(hookPrograms([spec])).toEqual([]);
  });
});
