// Checks the supervisor of a data directory: whether it exists, answers, and has free descriptors.
import type { Guardian } from '../wire/protocol.ts';
import { fine, problem, warning, type Finding } from './finding.ts';

export type Presence =
  | { readonly tag: 'none' }
  | {
      readonly tag: 'answers';
      readonly pid: number;
      readonly version: string;
      readonly guardian?: Guardian | undefined;
      /** The pid of its parent; absent if not known. */
      readonly parent?: number | undefined;
    }
  | { readonly tag: 'silent'; readonly says: string }
  /** Alive, but does not listen on its socket. */
  | { readonly tag: 'unreachable'; readonly pid: number };

interface Found {
  readonly presence: Presence;
  readonly ownVersion: string;
  /** The number of services with a process. */
  readonly running: number;
  /** Why the last supervisor failed; absent once a later one has started. */
  readonly broke?: string | undefined;
  /** The pid of a guardian that is about to start the next supervisor. */
  readonly retrying?: number | undefined;
}

const guardianText = (guardian: Guardian | undefined): string =>
  guardian === undefined
    ? ''
    : `; sup-guardian (pid ${guardian.pid}) brings it back, ${guardian.restarts} times so far`;

type Answering = Extract<Presence, { tag: 'answers' }>;

/** A guardian is the parent as long as it lives. */
const lostText = ({ pid, guardian, parent = guardian?.pid }: Answering): string | undefined =>
  guardian === undefined || parent === guardian.pid
    ? undefined
    : `nobody brings pid ${pid} back if it is killed: its guardian (pid ${guardian.pid}) has ended`;

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

/** No supervisor is expected unless services run, the last one failed, or a guardian keeps retrying. */
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

/** Checks if it answers, and its version; without one, whether services run unsupervised. */
export const judgePresence = (found: Found): Finding => {
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
        `pid ${presence.pid} holds the data directory, and nobody listens at its socket`,
        'wait a moment; to end it while its services go on: sup shutdown --force',
      );
    case 'none':
      return judgeAbsence(found);
  }
};

const NEARLY = 0.8;

/** Checks the supervisor's open descriptors against its limit; `kept` are never given to services. */
export const judgeDescriptors = (open: number, limit: number, kept: number): Finding => {
  const says = `${open} of ${limit} descriptors are open, ${kept} are kept free for looks, clients and starts`;
  return open < Math.min(limit * NEARLY, limit - kept)
    ? fine('descriptors', says)
    : warning('descriptors', says, 'raise ulimit -n (LimitNOFILE=) before the supervisor is started');
};

const MIB = 1024 * 1024;

/** Reports the supervisor's own usage: percent of one core since it began, and present memory. */
export const judgeUsage = ({ cpuPercent, rssBytes }: { cpuPercent: number; rssBytes: number }): Finding =>
  fine(
    'usage',
    `the supervisor has used ${cpuPercent.toFixed(1)} % of a core since it began, and has ${(rssBytes / MIB).toFixed(1)} MiB of memory`,
  );
