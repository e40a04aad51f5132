// The processes and children of a service as trees, and a list of children that have ended.
import { sizeText } from '../../../streams/views/words/age-and-size.ts';
import { ms, lengthText } from '../../../streams/domain/time.ts';
import { shownLine } from '../../../streams/views/words/foreign-text.ts';
import type {
  ChildDocument,
  PastChildDocument,
  SpawnDocument,
} from '../../../streams/wire/documents/child-documents.ts';
import type { ProcessDocument } from '../../../streams/wire/documents/documents.ts';

const processLine = (one: ProcessDocument, depth: number): string => {
  const { pid, name, command, cpu_ms: cpu, rss_bytes: memory } = one;
  const use = `${lengthText(ms(cpu))} of processor time, ${sizeText(memory)}`;
  const line = command === null ? '' : `  ${shownLine(command.join(' '))}`;
  return `    ${'  '.repeat(depth)}${pid} ${shownLine(name ?? '?')}  ${use}${line}`;
};

/** Returns the processes as a tree. A process with a parent outside the service is a root. */
export const processTree = (processes: readonly ProcessDocument[]): readonly string[] => {
  const pids = new Set(processes.map(({ pid }) => pid));
  const below = (parent: number, depth: number): readonly string[] =>
    processes
      .filter(({ ppid, pid }) => ppid === parent && pid !== parent)
      .flatMap((one) => [processLine(one, depth), ...below(one.pid, depth + 1)]);
  return processes
    .filter(({ ppid }) => !pids.has(ppid))
    .flatMap((one) => [processLine(one, 0), ...below(one.pid, 1)]);
};

const commandText = (words: readonly string[]): string => shownLine(words.join(' '));

const childLine = (child: ChildDocument, depth: number): string => {
  const { name, pid, state, command, age_ms: age, ttl_left_ms: left, orphan } = child;
  const facts = [
    `${lengthText(ms(age))} old`,
    ...(left === null ? [] : [`${lengthText(ms(left))} left`]),
    ...(orphan ? ['orphan'] : []),
  ].join(', ');
  const indent = '  '.repeat(depth);
  return `    ${indent}${name} pid ${pid ?? '-'} ${state} (${facts})  ${commandText(command)}`;
};

const subtree = (child: ChildDocument, depth: number): readonly string[] => [
  childLine(child, depth),
  ...child.children.flatMap((one) => subtree(one, depth + 1)),
];

const ENDED_BY = {
  stopped: 'with its service',
  parent: 'with its parent',
  ttl: 'its ttl was spent',
  memory: 'over total_memory',
} as const;

const exitWords = ({ exit, error, ended_by: by }: PastChildDocument): string => {
  if (error !== null) return `${error.code} ${shownLine(error.message)}`;
  const how = exit?.code ?? exit?.signal ?? 'exit unknown';
  return by === null ? String(how) : `${how}, ${ENDED_BY[by]}`;
};

const pastLine = (past: PastChildDocument): string =>
  `    ${past.ended_at}  ${past.name} pid ${past.pid ?? '-'} ${past.state} (${exitWords(past)})  ${commandText(past.command)}`;

/**
 * Returns a text with the numbers of children and descendants, and their limits; `null` if the service cannot
 * have children.
 */
export const spawnWords = ({ mode, limits, counts }: SpawnDocument): string | null => {
  if (mode === 'static') return null;
  const held = counts.total_memory_bytes;
  const most = limits.total_memory_bytes;
  const memory = most === null ? '' : `, ${held === null ? '?' : sizeText(held)} of ${sizeText(most)}`;
  return `${counts.children} of ${limits.children}, ${counts.descendants} of ${limits.descendants} descendants, depth ${counts.depth} of ${limits.depth}${memory}; ${limits.termination_policy}`;
};

export const childTree = ({ children }: SpawnDocument): readonly string[] =>
  children.flatMap((child) => subtree(child, 0));

export const pastChildren = ({ ended }: SpawnDocument): readonly string[] => ended.map(pastLine);
