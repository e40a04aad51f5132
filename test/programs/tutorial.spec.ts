// Types the commands of the tutorial (`docs/tutorial`) in order, without root, against real programs.
// Nothing waits for a time: a command that only reads is typed again until it prints what the page shows.
import { chmodSync, readFileSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launch, outcomeText, type Outcome } from '../scenarios/support/command.ts';
import { eventually } from '../scenarios/support/eventually.ts';
import { NOBODY } from '../scenarios/support/privileged.ts';
import { openStage, type Stage } from '../scenarios/support/stage.ts';
import { sweep } from '../scenarios/support/sweep.ts';
import { notPrinted, typedIn, type Typed } from '../support/docs/typed.ts';
import { librariesOf, unpackedPackages } from './packages.ts';

const PAGES = ['1-database', '2-api', '3-worker', '4-release', '5-crash', '6-scale-and-stop'];
const PAGE_MS = 300_000;
const COMMAND_MS = 120_000;
const LOOK_MS = 90_000;
const PROXY = 'http://127.0.0.1:8470/';

/** Commands that change nothing. */
const LOOK = /^(?:sup (?:status|logs|why|events|plan|exec|validate) |sup plan$|sup status$|curl http|grep )/;
const FAILURE = /ERR\d{4}/;

const at = unpackedPackages();

/** The reader's home directory, with the project in `sup`, and the command on the `PATH`. */
const moveIn = (stage: Stage): void => {
  symlinkSync(resolve('.'), join(stage.root, 'sup'));
  const command = stage.write('bin/sup', `#!/bin/sh\nexec ${stage.line()} "$@"\n`);
  chmodSync(command, 0o755);
};

const environmentOf = (stage: Stage): Readonly<Record<string, string>> => ({
  HOME: stage.root,
  SUP_DATA_DIR: stage.data,
  LD_LIBRARY_PATH: librariesOf(at),
  PATH: [
    join(stage.work, 'bin'),
    at('usr/lib/postgresql/15/bin'),
    at('usr/sbin'),
    process.env['PATH'] ?? '',
  ].join(':'),
});

const run = (stage: Stage, line: string, directory: string): Promise<Outcome> =>
  launch({
    argv: [...NOBODY.through, 'bash', '-c', line],
    directory,
    environment: environmentOf(stage),
    limit: COMMAND_MS,
    line,
  }).ended;

/** What is wrong with what a command printed. */
const wrongWith = ({ line, shown }: Typed, { status, stdout, stderr }: Outcome): string | undefined => {
  const missing = notPrinted(shown, `${stdout}\n${stderr}`);
  if (missing !== undefined) return `the page shows: ${missing}`;
  const mayFail = LOOK.test(line) || shown.some((text) => FAILURE.test(text));
  return status === 0 || mayFail ? undefined : 'the page shows no failure';
};

const expectRight = (typed: Typed, outcome: Outcome): void => {
  const wrong = wrongWith(typed, outcome);
  if (wrong !== undefined) throw new Error(`${wrong}\n${outcomeText(outcome)}`);
};

const answer = async (): Promise<string | undefined> => {
  try {
    return (await (await fetch(PROXY)).text()).split('\n')[0];
  } catch {
    return undefined;
  }
};

/** Answers of the proxy, one after the other, until a promise is settled. */
const answersDuring = async (work: Promise<unknown>): Promise<readonly (string | undefined)[]> => {
  const answers: (string | undefined)[] = [];
  const open = new Set([work]);
  const close = (): void => open.clear();
  work.then(close, close);
  while (open.size > 0) {
    answers.push(await answer());
    await pause(20);
  }
  return answers;
};

/** An apply of a release loses no request, once there is a proxy. */
const applied = async (work: Promise<Outcome>, isServed: boolean): Promise<Outcome> => {
  if (!isServed) return work;
  const answers = await answersDuring(work);
  expect(answers.filter((text) => !/^guestbook, release \d$/.test(text ?? ''))).toEqual([]);
  return work;
};

describe('the tutorial', () => {
  let stage: Stage;
  let directory = '';

  beforeAll(() => {
    stage = openStage(NOBODY);
    directory = stage.root;
    moveIn(stage);
  });
  afterAll(async () => {
    expect(await sweep(stage)).toEqual([]);
  }, PAGE_MS);

  const look = async (typed: Typed): Promise<void> => {
    let last: Outcome | undefined;
    await eventually(
      {
        what: `${typed.line}, as the page shows it`,
        look: async () => {
          last = await run(stage, typed.line, directory);
          return wrongWith(typed, last) === undefined ? true : undefined;
        },
        instead: () => last && { ...last, wrong: wrongWith(typed, last) },
      },
      LOOK_MS,
    );
  };

  const type = async (typed: Typed): Promise<void> => {
    const { line } = typed;
    if (line.startsWith('cd ')) directory = line.slice(3).replace('~', stage.root);
    else if (LOOK.test(line)) await look(typed);
    else if (line === 'sup apply') {
      const isServed = (await answer()) !== undefined;
      expectRight(typed, await applied(run(stage, line, directory), isServed));
    } else expectRight(typed, await run(stage, line, directory));
  };

  it.each(PAGES)(
    'the commands of the tutorial print what the page shows: %s',
    async (page) => {
      const commands = typedIn(readFileSync(`docs/tutorial/${page}.md`, 'utf8'));
      expect(commands.length).toBeGreaterThan(5);
      for (const typed of commands) await type(typed);
    },
    PAGE_MS,
  );
});
