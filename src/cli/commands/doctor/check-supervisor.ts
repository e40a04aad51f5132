// Checks the supervisor of the data directory: whether it runs and answers. If none runs, checks whether
// services run.
import { ClientFailure } from '../../../client/client-failure.ts';
import { connectIfRunning } from '../../../client/wait-for-supervisor.ts';
import { type Finding, fine, problem, warning, checkOf } from './finding.ts';
import type { Context } from '../../context.ts';
import { readRecorded } from '../../../client/recorded.ts';
import { textIfThere } from '../../../os/files/own-file.ts';
import { statOf } from '../../../os/proc/process-stat.ts';
import { guardianOf } from '../../../sources/process/guardian.ts';
import { knownServices } from '../../../sources/process/services-to-search.ts';
import { livingRuns } from '../../../sources/process/living-runs.ts';
import { lockHolder } from '../../../sources/store/lock.ts';
import type { Guardian } from '../../../streams/wire/protocol.ts';

export type Presence =
  | { readonly tag: 'none' }
  | {
      readonly tag: 'answers';
      readonly pid: number;
      readonly version: string;
      readonly guardian?: Guardian | undefined;
      /** The pid of the supervisor's parent process; `undefined` if unknown. */
      readonly parent?: number | undefined;
    }
  | { readonly tag: 'silent'; readonly says: string }
  /** The supervisor lives but does not listen on its socket. */
  | { readonly tag: 'unreachable'; readonly pid: number };

interface Found {
  readonly presence: Presence;
  readonly ownVersion: string;
  /** Number of services that have a living process. */
  readonly running: number;
  /** Why the last supervisor crashed; absent if it ended without a crash. */
  readonly broke?: string | undefined;
  /** Pid of a guardian that is about to start the next supervisor. */
  readonly retrying?: number | undefined;
}

const guardianText = (guardian: Guardian | undefined): string =>
  guardian === undefined
    ? ''
    : `; sup-guardian (pid ${guardian.pid}) brings it back, ${guardian.restarts} times so far`;

type Answering = Extract<Presence, { tag: 'answers' }>;

/**
 * Returns a warning if the supervisor's guardian is no longer its parent process, and so cannot restart it.
 */
const lostText = ({ pid, guardian, parent = guardian?.pid }: Answering): string | undefined =>
  guardian === undefined || parent === guardian.pid
    ? undefined
    : `pid ${pid} will not be started again if it is killed: its guardian (pid ${guardian.pid}) has ended`;

const judgeAnswer = (answering: Answering, own: string): Finding => {
  const { pid, version, guardian } = answering;
  const other = version === own ? undefined : `pid ${pid} is sup ${version}, this is ${own}`;
  const wrong = [other, lostText(answering)].filter((text) => text !== undefined);
  return wrong.length === 0
    ? fine('supervisor', `pid ${pid} answers${guardianText(guardian)}`)
    : warning('supervisor', wrong.join('; '), 'sup shutdown, then sup start, to renew it');
};

const runOnText = (running: number): string =>
  running === 0 ? '' : `, and ${running} ${running === 1 ? 'service runs' : 'services run'} on without one`;

/**
 * Returns the finding if no supervisor runs. It is a problem if services run, if the last supervisor crashed,
 * or if its guardian has not yet restarted it.
 */
const judgeAbsence = ({ running, broke, retrying }: Found): Finding => {
  const alone = `none is running${runOnText(running)}`;
  if (broke !== undefined)
    return problem(
      'supervisor',
      `${alone}; the last one broke: ${broke}`,
      'for the whole error: sup supervise',
    );
  if (retrying !== undefined)
    return problem(
      'supervisor',
      `${alone}; sup-guardian (pid ${retrying}) tries to start one again`,
      'to see why the last one ended: sup logs --supervisor',
    );
  return running === 0
    ? fine('supervisor', alone)
    : problem('supervisor', alone, 'sup start: the next supervisor adopts them');
};

/**
 * Checks that a running supervisor answers and has this version. If none runs, checks that no service runs.
 */
const judgePresence = (found: Found): Finding => {
  const { presence, ownVersion } = found;
  switch (presence.tag) {
    case 'answers':
      return judgeAnswer(presence, ownVersion);
    case 'silent':
      return problem(
        'supervisor',
        presence.says,
        'if it is stopped: kill -CONT; to end it while its services go on: sup shutdown --force',
      );
    case 'unreachable':
      return problem(
        'supervisor',
        `pid ${presence.pid} holds the data directory, but its socket has no listener`,
        'wait a moment; to end it while its services go on: sup shutdown --force',
      );
    case 'none':
      return judgeAbsence(found);
  }
};

const presence = async ({ dataDir }: Context): Promise<Presence> => {
  try {
    const client = await connectIfRunning(dataDir);
    client?.close();
    if (client !== undefined) {
      const { hello } = client;
      return { tag: 'answers', ...hello, parent: statOf(hello.pid)?.parent };
    }
    const holder = lockHolder(dataDir);
    return holder === undefined ? { tag: 'none' } : { tag: 'unreachable', pid: holder };
  } catch (thrown) {
    if (thrown instanceof ClientFailure) return { tag: 'silent', says: thrown.document.message };
    throw thrown;
  }
};

/**
 * Resolves to the number of services that have processes. Also finds processes by their run tags, because the
 * records may be damaged.
 */
const running = async (context: Context): Promise<number> => {
  const known = await knownServices(readRecorded(context).services);
  const found = await livingRuns(context.dataDir, known);
  return new Set(found.map(({ service }) => service)).size;
};

/** Returns the first line of the last supervisor's crash report; `undefined` if there is none. */
const brokeIn = ({ layout }: Context): string | undefined => {
  const text = textIfThere(layout.broke);
  return typeof text === 'string' ? text.split('\n', 1)[0] : undefined;
};

const look = async (context: Context): Promise<Found> => ({
  ...{ presence: await presence(context), running: await running(context) },
  ...{ broke: brokeIn(context), retrying: guardianOf(context.dataDir)?.pid },
  ownVersion: context.world.version,
});

export const supervisor = checkOf('supervisor', { look, judge: (found) => [judgePresence(found)] });
