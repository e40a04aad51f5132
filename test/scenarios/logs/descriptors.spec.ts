// Needs the native addon.
// Logs with fewer descriptors than all services need: no line is lost, no service runs twice, and the
// supervisor answers.
import { readdirSync, readlinkSync } from 'node:fs';
import { describe, expect } from 'vitest';
import type { StatusDocument } from '../../../src/streams/wire/documents/documents.ts';
import { eventually, holds } from '../support/eventually.ts';
import { serviceLog } from '../support/logs.ts';
import { linesOf } from '../support/marks.ts';
import { killSupervisor, supervisorPid } from '../support/own-death.ts';
import { loose, shell, steady } from '../support/recipes.ts';
import { scenario } from '../support/scenario.ts';
import type { Actor, Stage } from '../support/stage.ts';
import { killOnlySupervisor } from '../support/supervisors.ts';
import { expectDone, servicesOf } from '../support/witnesses.ts';

const NAMES = Array.from({ length: 60 }, (_, at) => `s${at}`);
const LINES = 400;

/** Limits the open files of the shell that types a command, and of the supervisor that it starts. */
const few = (files: number): Actor['through'] => ['/bin/sh', '-c', `ulimit -n ${files}; exec "$@"`, 'sh'];

const chatty = (before = ''): ReturnType<typeof shell> =>
  shell(
    `${before}i=0; while [ $i -lt ${LINES} ]; do echo "line $i"; i=$((i + 1)); done; echo $SUP_SERVICE >>done; exec sleep 1000`,
    { backoff: '300ms', max_restarts: 1000 },
  );

const declared = (before?: string): ReturnType<typeof loose> =>
  loose(Object.fromEntries(NAMES.map((name) => [name, chatty(before)])));

const WHOLE = Array.from({ length: LINES }, (_, at) => `line ${at}`);
const printed = (stage: Stage, name: string): readonly string[] =>
  serviceLog(stage, name).map((line) => line.slice('2026-11-21T05:30:15.123456Z stdout '.length));

const openFiles = (pid: number): readonly string[] =>
  readdirSync(`/proc/${pid}/fd`).flatMap((descriptor) => {
    try {
      return [readlinkSync(`/proc/${pid}/fd/${descriptor}`)];
    } catch {
      return [];
    }
  });

/** Of each of them one process at most. */
const expectNoDoubles = (stage: Stage): void => {
  const living = stage.members().map(({ service }) => service);
  expect(living).toHaveLength(new Set(living).size);
};

const inState = (document: StatusDocument, word: string): readonly string[] =>
  [...servicesOf(document).values()].filter(({ state }) => state === word).map(({ name }) => name);

const warned = ({ supervisor }: StatusDocument): boolean => supervisor.warnings.join().includes('ulimit -n');

describe('a supervisor with too few descriptors', () => {
  scenario(
    'a supervisor with too few descriptors starts as many services as it can, names the reason, and starts the others later',
    async (stage) => {
      stage.declare(declared());
      await stage.begin(['start', '--daemonize'], { through: few(150) }).ended;
      const pid = await supervisorPid(stage);
      const { document } = await stage.status();
      expect(warned(document)).toBe(true);
      const running = inState(document, 'running');
      expect(running.length).toBeGreaterThan(20);
      expect(running.length).toBeLessThan(NAMES.length);
      expectNoDoubles(stage);
      // A service is shown as running before a busy machine lets it print.
      await holds('those that run have printed', () =>
        running.every((name) => linesOf(stage, 'done').includes(name)),
      );
      expectDone(await stage.sup('stop', ...running.flatMap((name) => ['--service', name])));
      const others = NAMES.filter((name) => !running.includes(name));
      await holds('the others have printed', () =>
        others.every((name) => linesOf(stage, 'done').includes(name)),
      );
      expectNoDoubles(stage);
      await eventually({
        what: 'all lines of all',
        look: () => (NAMES.every((name) => printed(stage, name).length >= LINES) ? true : undefined),
      });
      for (const name of NAMES) expect([name, printed(stage, name)]).toEqual([name, WHOLE]);
      expect(await supervisorPid(stage)).toBe(pid);
    },
  );

  scenario(
    'a supervisor with too few descriptors reads what it can of adopted services, and the next one reads the rest',
    async (stage) => {
      stage.declare(declared('while [ ! -e go ]; do sleep 0.5; done; '));
      expectDone(await stage.sup('start', '--daemonize'));
      await killSupervisor(stage);
      await stage.begin(['start', '--daemonize'], { through: few(150) }).ended;
      stage.write('go', '');
      await holds('all have printed', () => linesOf(stage, 'done').length === NAMES.length);
      expect(warned((await stage.status()).document)).toBe(true);
      expectNoDoubles(stage);
      await killSupervisor(stage);
      expectDone(await stage.sup('start', '--daemonize'));
      await eventually({
        what: 'all lines of all',
        look: () => (NAMES.every((name) => printed(stage, name).length >= LINES) ? true : undefined),
      });
      for (const name of NAMES) expect([name, printed(stage, name)]).toEqual([name, WHOLE]);
      expectNoDoubles(stage);
    },
  );

  scenario(
    'a killed supervisor with too few descriptors returns with enough to read, stop and shut down',
    async (stage) => {
      const ticking = shell('i=0; while :; do i=$((i + 1)); echo "line $i"; sleep 0.02; done');
      const ticker = 'ticker';
      stage.declare(
        loose({ ...Object.fromEntries(NAMES.map((name) => [name, steady()])), [ticker]: ticking }),
      );
      await stage.begin(['start', '--daemonize'], { through: few(215) }).ended;
      // While many start at once they take more than they keep.
      const before = await eventually({
        what: 'all of them',
        look: async () => {
          const { document } = await stage.status();
          return inState(document, 'running').length > NAMES.length ? document : undefined;
        },
      });
      killOnlySupervisor(stage);
      await eventually({
        what: 'another supervisor',
        look: async () =>
          (await stage.status()).document.supervisor.pid === before.supervisor.pid ? undefined : true,
      });
      // A pipe holds this output although no process reads it: it has to be in the log.
      const shown = printed(stage, ticker).length;
      await holds('more lines', () => printed(stage, ticker).length > shown + 20);
      expectDone(await stage.sup('stop', '--service', 's0'));
      expectDone(await stage.sup('restart', '--service', 's1'));
      const lines = printed(stage, ticker);
      expect(lines).toEqual(lines.map((_, at) => `line ${at + 1}`));
      expectDone(await stage.sup('shutdown'));
      expect(stage.members()).toEqual([]);
    },
  );

  scenario(
    'an upgrade with few free descriptors loses no line and leaves no descriptor open',
    async (stage) => {
      const names = NAMES.slice(0, 30);
      // Enough for their output, but not twice.
      const limit = 160;
      const ticking = shell('i=0; while :; do i=$((i + 1)); echo "line $i"; sleep 0.5; done');
      stage.declare(loose(Object.fromEntries(names.map((name) => [name, ticking]))));
      await stage.begin(['start', '--daemonize'], { through: few(limit) }).ended;
      const pid = await supervisorPid(stage);
      await holds('all of them', async () => {
        const { document } = await stage.status();
        return inState(document, 'running').length === names.length;
      });
      expect(openFiles(pid).length + 2 * names.length).toBeGreaterThan(limit);
      for (let upgrade = 0; upgrade < 2; upgrade += 1) expectDone(await stage.sup('upgrade'));
      const shown = names.map((name) => printed(stage, name).length);
      await holds('more lines', () =>
        names.every((name, at) => printed(stage, name).length > (shown[at] ?? 0) + 2),
      );
      for (const name of names) {
        const lines = printed(stage, name);
        expect([name, lines]).toEqual([name, lines.map((_, at) => `line ${at + 1}`)]);
      }
      expect(await supervisorPid(stage)).toBe(pid);
      expect(openFiles(pid).filter((file) => /\/s\d+\.std(out|err)$/.test(file))).toHaveLength(
        2 * names.length,
      );
    },
  );
});
