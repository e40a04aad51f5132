// The processes of a service as a tree.
import { lengthText, ms } from '../../../streams/domain/time.ts';
import { shownLine } from '../../../streams/views/words/foreign-text.ts';
import type { InspectedService } from '../../../streams/wire/documents/documents.ts';
import { sizeWords } from '../model/page-words.ts';
import { processLines, type TreeLine } from '../model/process-tree.ts';
import { DataTable } from '../parts/data-table.tsx';

/** Returns the indentation of a process in the tree. It uses figure spaces, which HTML does not collapse. */
const indented = (depth: number): string => '  '.repeat(depth) + (depth === 0 ? '' : '└ ');

const rowOf = ({ process, depth }: TreeLine) => [
  `${indented(depth)}${process.pid} ${shownLine(process.name ?? '?')}`,
  lengthText(ms(process.cpu_ms)),
  sizeWords(process.rss_bytes),
  <code>{process.command === null ? '' : shownLine(process.command.join(' '))}</code>,
];

export const ProcessesTab = ({ service }: { readonly service: InspectedService }) => {
  const { processes, pid } = service;
  if (processes === null)
    return (
      <p class="note">
        The processes are not recorded one by one. Set <code>snapshot_mode: detailed</code> in{' '}
        <code>status</code>.
      </p>
    );
  if (processes.length === 0)
    return (
      <p class="note">
        {pid === null ? 'No process of this service runs.' : 'The first sample is not there yet.'}
      </p>
    );
  return (
    <section class="panel panel-body">
      <DataTable
        caption="Processes at the last sample"
        headings={['Process', 'Processor time', 'Memory', 'Command']}
        rows={processLines(processes).map(rowOf)}
      />
    </section>
  );
};
