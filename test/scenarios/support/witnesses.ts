// The three witnesses of every scenario and their agreement: what a command said, what `status --json` says, and what
// the process table shows.
import { expect } from 'vitest';
import type {
  ErrorDocument,
  ServiceDocument,
  StateWord,
  StatusDocument,
} from '../../../src/streams/wire/documents/documents.ts';
import { connect } from '../../../src/client/client.ts';
import type { Outcome } from './command.ts';
import { eventually, PATIENCE_MS } from './eventually.ts';
import type { Member } from './kin.ts';
import { fullName, type Stage } from './stage.ts';

/** It said nothing but that it is done. */
export const expectDone = (outcome: Outcome): void => {
  expect(outcome, outcome.stderr).toMatchObject({ status: 0 });
  expect(outcome.stderr).not.toMatch(/\bERR\d{4}\b/);
};

/** It failed with this error, on standard error. */
export const expectFailed = (outcome: Outcome, code: string, status = 1): void => {
  expect(outcome.stderr).toMatch(new RegExp(`^(error )?${code}\\b`, 'm'));
  expect(outcome).toMatchObject({ status });
};

/** The document of a command that failed with `--json`. */
export const errorOf = ({ stderr, stdout }: Outcome): ErrorDocument => {
  expect(stdout).toBe('');
  const line = stderr.split('\n').find((text) => text.startsWith('{'));
  const { error } = JSON.parse(line ?? '{}') as { error: ErrorDocument };
  return error;
};

/** Services by full name. */
export const servicesOf = ({ projects }: StatusDocument): ReadonlyMap<string, ServiceDocument> =>
  new Map(projects.flatMap(({ id, services }) => services.map((one) => [`${id}/${one.name}`, one] as const)));

export const serviceIn = (document: StatusDocument, name: string): ServiceDocument => {
  const found = servicesOf(document).get(fullName(name));
  if (found === undefined)
    throw new Error(`status knows no ${name}: ${[...servicesOf(document).keys()].join(', ')}`);
  return found;
};

export type Words = Readonly<Record<string, StateWord>>;
export type Services<W extends Words> = { readonly [N in keyof W]: ServiceDocument };

const ALIVE: ReadonlySet<StateWord> = new Set(['starting', 'running', 'stopping']);
const FAILING: ReadonlySet<StateWord> = new Set(['backoff', 'failed', 'breaker-open', 'casualty', 'lost']);

/** Compares the process table with one service: exactly one leader, the reported one, or no process. */
const expectProcesses = (
  all: readonly Member[],
  name: string,
  { state, pid, run }: ServiceDocument,
): void => {
  const members = all.filter(({ service }) => service === name);
  const leaders = members.filter(
    ({ leader, parent }) => leader && !members.some((other) => other.pid === parent),
  );
  const about = `${name} is ${state}`;
  if (ALIVE.has(state) && pid !== null) {
    expect(
      leaders.map((leader) => [leader.pid, leader.run]),
      about,
    ).toContainEqual([pid, run]);
    expect(new Set(members.map((member) => member.run)), `${about}, runs alive`).toEqual(new Set([run]));
  } else {
    expect(
      members.map((member) => `${member.pid} ${member.command}`),
      `${about}, processes alive`,
    ).toEqual([]);
    expect(pid, `${about}, pid told`).toBeNull();
  }
};

const found = <W extends Words>(document: StatusDocument, words: W): Services<W> =>
  // Every name of `words` is looked up, and a missing one throws.
  Object.fromEntries(Object.keys(words).map((name) => [name, serviceIn(document, name)])) as Services<W>;

/** The words of these services; `unknown` of one that is not registered yet. */
const wordsIn = (document: StatusDocument, names: readonly string[]): Record<string, string> => {
  const services = servicesOf(document);
  return Object.fromEntries(names.map((name) => [name, services.get(fullName(name))?.state ?? 'unknown']));
};

/** `status --json` says exactly these words, its exit status fits them, and so does the process table. */
export const agree = async <W extends Words>(stage: Stage, words: W): Promise<Services<W>> => {
  const { status, document } = await stage.status();
  expect(wordsIn(document, Object.keys(words))).toEqual(words);
  const all = [...servicesOf(document)];
  // One look at the process table for all: it takes long.
  const members = stage.members();
  all.forEach(([name, service]) => expectProcesses(members, name, service));
  const failing = all.some(
    ([, one]) =>
      FAILING.has(one.state) || one.health === 'unhealthy' || one.error !== null || one.deploy.failed,
  );
  expect(status, 'exit status of sup status').toBe(failing ? 1 : 0);
  return found(document, words);
};

/**
 * What `status` would say, asked for over the socket: a look costs milliseconds where a program costs a tenth of a second.
 * Without a supervisor the program is asked.
 */
export const glance = async (stage: Stage): Promise<StatusDocument> => {
  try {
    const client = await connect(stage.data);
    const document = await client.call('status', {});
    client.close();
    return document;
  } catch {
    return (await stage.status()).document;
  }
};

/** Waits until `status --json` says these words, be it for a moment: others may be on their way meanwhile. */
export const pass = async (stage: Stage, words: Words, limit = PATIENCE_MS): Promise<void> => {
  const names = Object.keys(words);
  let last: Record<string, string> = {};
  const look = async (): Promise<true | undefined> => {
    last = wordsIn(await glance(stage), names);
    return names.every((name) => last[name] === words[name]) ? true : undefined;
  };
  await eventually({ what: JSON.stringify(words), look, instead: () => last }, limit);
};

/** Waits until `status --json` says these words, then asks all witnesses. */
export const come = async <W extends Words>(
  stage: Stage,
  words: W,
  limit = PATIENCE_MS,
): Promise<Services<W>> => {
  await pass(stage, words, limit);
  return agree(stage, words);
};

/** Declares these services, starts them, and all went well. */
export const started = async (stage: Stage, manifest: Parameters<Stage['declare']>[0]): Promise<void> => {
  stage.declare(manifest);
  expectDone(await stage.sup('start', '--daemonize'));
};
