// Needs the native addon.
// Privileged: `isolation.protect` on a machine whose /home and /tmp are symbolic links. The machine is a mount
// namespace of the scenario, so that the real one stays as it is.
import { chmodSync, existsSync } from 'node:fs';
import { describe, expect } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { serviceLog } from '../support/logs.ts';
import { linked, manifest } from '../support/privileged.ts';
import { type Declared, shell } from '../support/recipes.ts';
import type { Stage } from '../support/stage.ts';
import { expectDone } from '../support/witnesses.ts';

const DONE = 'done';

/** What a shell can do that tries each line: a word for each, `yes` or `no`. */
const trying = (tries: readonly string[], protect: Declared | string): Declared =>
  shell(
    [
      ...tries.map((line) => `{ ${line}; } >/dev/null 2>&1 && echo yes || echo no`),
      `echo ${DONE}`,
      'exec sleep 1000',
    ].join('\n'),
    { working_dir: '/', isolation: { protect } },
  );

const answersOf = (stage: Stage, service: string): Promise<readonly string[]> =>
  eventually({
    what: `the answers of ${service}`,
    look: () => {
      const words = serviceLog(stage, service).map((line) => line.split(' ').slice(2).join(' '));
      return words.at(-1) === DONE ? words.slice(0, -1) : undefined;
    },
  });

const SECRET = '/home/anna/secret';

describe('a machine whose /home and /tmp are links', () => {
  linked('isolation.protect covers the directories behind the links', async (stage) => {
    const marker = stage.write('marker', 'x');
    chmodSync(stage.root, 0o755);
    const atLink = `/tmp/sup-linked-${process.pid}`;
    const homes = [`cat ${SECRET}`, `cat /real${SECRET}`, 'touch /home/anna/x', 'touch /real/home/anna/y'];
    const markers = [`cat ${marker}`, `cat /real${marker}`, `touch ${atLink}`, `cat /real${atLink}`];
    stage.declare(
      manifest({
        bare: trying([...homes, ...markers.slice(0, 2)], 'off'),
        hidden: trying(homes, { home: 'hidden' }),
        readable: trying(homes, { home: 'read_only' }),
        temporary: trying(markers, { tmp: 'private' }),
        strict: trying([...homes, ...markers, 'touch /real/x', 'touch /etc/x'], 'strict'),
      }),
    );
    expectDone(await stage.sup('start', '--sys', '--daemonize'));
    expect(await answersOf(stage, 'bare')).toEqual(Array(6).fill('yes'));
    expect(await answersOf(stage, 'hidden')).toEqual(['no', 'no', 'no', 'no']);
    expect(await answersOf(stage, 'readable')).toEqual(['yes', 'yes', 'no', 'no']);
    expect(await answersOf(stage, 'temporary')).toEqual(['no', 'no', 'yes', 'yes']);
    const strict = [...['no', 'no', 'no', 'no'], ...['no', 'no', 'yes', 'yes'], ...['no', 'no']];
    expect(await answersOf(stage, 'strict')).toEqual(strict);
    expect([atLink, SECRET].filter((path) => existsSync(path))).toEqual([]);
    expectDone(await stage.sup('shutdown', '--sys'));
  });
});
