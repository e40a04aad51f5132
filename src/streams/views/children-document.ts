// The children of a service as `sup inspect` shows them: living children as a tree, and a list of ended
// children.
// Rules: `docs/behaviour.md`, "Children that a service asks for", "When it ends".
import { childrenIn, type Child, type ChildParent, type PastChild } from '../domain/service/child.ts';
import type { Service } from '../domain/service/service.ts';
import type { Instant } from '../domain/time.ts';
import { depthOf } from '../children/family.ts';
import { asRun } from '../children/child-as-run.ts';
import type { ChildDocument, PastChildDocument, SpawnDocument } from '../wire/documents/child-documents.ts';
import type { StateWord } from '../wire/documents/documents.ts';
import { isSuccess } from '../domain/service/exit-status.ts';
import { exitDocument } from './service-document.ts';
import { errorDocument } from './errors/error-text.ts';
import { maskedWords } from './words/masked-text.ts';
import { timeText, timeTextOrNull } from './words/time-text.ts';
import { stateWord } from './words/public-words.ts';

const parentDocument = (parent: ChildParent): Pick<ChildDocument, 'parent_run' | 'orphan'> => ({
  parent_run: typeof parent === 'number' ? parent : null,
  orphan: parent === 'nobody',
});

const living = (service: Service, child: Child, now: Instant): ChildDocument => {
  const { name, run, parent, argv, born, expires, actual } = child;
  return {
    ...{ name, run, pid: 'process' in actual ? actual.process.pid : null },
    command: maskedWords(argv),
    depth: depthOf(service, child),
    state: stateWord(asRun(service, child)),
    ...parentDocument(parent),
    started_at: timeText(born),
    age_ms: Math.max(0, now - born),
    ttl_left_ms: expires === undefined ? null : Math.max(0, expires - now),
    children: childrenIn(service)
      .filter((one) => one.parent === run)
      .map((one) => living(service, one, now)),
  };
};

/** Returns the public state of an ended child, such as `failed`. */
export const endWord = ({ error, ending, exit }: PastChild): StateWord => {
  if (error !== undefined) return 'failed';
  if (ending !== undefined) return 'stopped';
  if (exit === undefined || exit.tag === 'unknown') return 'lost';
  return isSuccess(exit) ? 'done' : 'failed';
};

const over = (past: PastChild): PastChildDocument => {
  const { name, run, parent, argv, pid, born, ended, exit, ending, error } = past;
  return {
    ...{ name, run, pid: pid ?? null, command: maskedWords(argv), state: endWord(past) },
    parent_run: parentDocument(parent).parent_run,
    started_at: timeText(born),
    ended_at: timeTextOrNull(ended) ?? timeText(ended),
    exit: exit === undefined ? null : exitDocument(exit, ended),
    ended_by: ending ?? null,
    error: error === undefined ? null : errorDocument(error),
  };
};

/** Returns the roots of the tree: the children that no living child has requested. */
const atTop = (service: Service): readonly Child[] => {
  const runs = new Set<ChildParent>(childrenIn(service).map(({ run }) => run));
  return childrenIn(service).filter(({ parent }) => !runs.has(parent));
};

/**
 * Returns the value of `spawn` in `sup inspect --json`: limits, counts, living children, and ended children.
 */
export const spawnDocument = (service: Service, now: Instant): SpawnDocument => {
  const { mode, children, depth, descendants, totalMemory, terminationPolicy } = service.spec.spawn;
  const all = childrenIn(service);
  const top = atTop(service);
  return {
    mode,
    limits: {
      ...{ children, depth, descendants, total_memory_bytes: totalMemory ?? null },
      termination_policy: terminationPolicy,
    },
    counts: {
      children: top.filter(({ parent }) => parent !== 'nobody').length,
      depth: Math.max(0, ...all.map((child) => depthOf(service, child))),
      descendants: all.length,
      total_memory_bytes: service.treeMemory ?? null,
    },
    children: top.map((child) => living(service, child, now)),
    ended: (service.pastChildren ?? []).map(over),
  };
};
