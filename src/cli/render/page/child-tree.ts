// The children of a service as a tree, and those that have ended.
import { lengthText, ms } from '../../../streams/domain/time.ts';
import type {
  ChildDocument,
  PastChildDocument,
  SpawnDocument,
} from '../../../streams/wire/documents/child-documents.ts';
import { sizeText } from '../amount.ts';
import { shownLine } from '../../../streams/views/words/foreign-text.ts';

const commandText = (words: readonly string[]): string => shownLine(words.join(' '));

const childLine = (child: ChildDocument, depth: number): string => {
  const { name, pid, state, command, age_ms: age, ttl_left_ms: left, orphan } = child;
  const facts = [
    `${lengthText(ms(age))} old`,
    ...(left === null ? [] : [`${lengthText(ms(left))} left`]),
    ...(orphan ? ["nobody's"] : []),
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

/** Returns counts against limits; `null` for a service that takes no children. */
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
