// The processes of a service as a tree: each below its parent.
import { lengthText, ms } from '../../../streams/domain/time.ts';
import type { ProcessDocument } from '../../../streams/wire/documents/documents.ts';
import { sizeText } from '../amount.ts';
import { shownLine } from '../../../streams/views/words/foreign-text.ts';

const processLine = (one: ProcessDocument, depth: number): string => {
  const { pid, name, command, cpu_ms: cpu, rss_bytes: memory } = one;
  const use = `${lengthText(ms(cpu))} of processor time, ${sizeText(memory)}`;
  const line = command === null ? '' : `  ${shownLine(command.join(' '))}`;
  return `    ${'  '.repeat(depth)}${pid} ${shownLine(name ?? '?')}  ${use}${line}`;
};

/** Returns one string per line. A process without a parent in the service is a root. */
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
