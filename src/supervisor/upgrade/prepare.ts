// Prepares an upgrade, before anything is touched: it reads the registered manifests, tries the new program
// and copies the old one.
import { dirname, join } from 'node:path';
import { loadRegistered } from '../../manifest/load.ts';
import type { SupError } from '../../streams/domain/errors/error.ts';
import type { Loop } from '../../streams/kernel/loop.ts';
import { brokenManifests, type BrokenManifest } from '../../streams/upgrade/upgrade-refusal.ts';
import type { UpgradeOrder } from '../../streams/wire/protocol.ts';
import { guardianWords } from '../guarded.ts';
import type { Parts } from '../parts.ts';
import type { Leaving } from './leave.ts';
import { mendProgram, untrustedProgram, worseThan } from '../loader/own-trust.ts';
import { argvOf, ownProgram, type Program } from './program.ts';
import { Refusal, refuse } from './refusal.ts';
import { tried } from './trial.ts';

/** Share of the trial in the time of an upgrade, ms: the rest is for the handover. */
const TRIAL_MS = 10_000;

/** What was requested, by which client, and until when. */
export interface Order extends UpgradeOrder {
  readonly client: string;
  readonly id: number;
  readonly began: number;
  readonly deadline: number;
  /** Registered manifests that do not load. */
  readonly broken: readonly BrokenManifest[];
}

/** The result: the new program was tried, and the old one is copied. */
export interface Ready {
  readonly leaving: Omit<Leaving, 'listening'>;
  /** True if the new program starts what has not begun when this one leaves. */
  readonly begins: boolean;
}

/** Returns the registered manifests that do not load. */
export const readManifests = ({ options }: Parts, { read }: Loop): readonly BrokenManifest[] => {
  const { environment, sys } = options;
  const ports = { environment, sys, uid: process.getuid?.() ?? 0 };
  return brokenManifests(Object.keys(read().manifests).map((path) => loadRegistered(path, ports)));
};

/** Checks the program before a trial executes it. It may be as bad as the running one, but not worse. */
const worseRefusal = (next: Program): SupError | undefined => {
  const [first] = worseThan(untrustedProgram(ownProgram()), untrustedProgram(next));
  return first === undefined
    ? undefined
    : {
        code: 'ERR0501',
        detail: `another user can change the new program, and not the one that runs: ${first}; ${mendProgram(next.script)}`,
      };
};

/** Throws why the new program cannot take over. */
export const prepared = async (parts: Parts, order: Order): Promise<Ready> => {
  const { client, id, began, deadline, broken } = order;
  const next = { node: order.node, script: order.program };
  if (parts.options.sys) refuse(worseRefusal(next));
  const answer = await tried({
    argv: argvOf(next, { more: ['--trial'] }),
    limit: TRIAL_MS,
    broken: broken.map(({ path }) => path),
  });
  if ('refusal' in answer)
    throw new Refusal({ code: 'ERR0502', detail: `${order.program}: ${answer.refusal}` });
  const script = parts.kept();
  const resume = `--require=${join(dirname(script), 'resume.cjs')}`;
  const { version: to, begins } = answer.trial;
  const more = guardianWords(parts.options.guarded);
  const leaving = {
    from: parts.options.version,
    copy: script,
    to,
    began,
    deadline,
    asked: { client, id, warnings: broken.map(({ warning }) => warning) },
    argv: argvOf(next, { node: [resume], more }),
    old: argvOf({ ...ownProgram(), script }, { more }),
  };
  return { leaving, begins };
};
