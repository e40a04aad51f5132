// `sup doctor`: checks the machine and the supervisor and changes nothing. Exit status: 0 if all is well, 1
// for warnings, 2 for problems.
import { dataDirectory } from './check-data-directory.ts';
import { descriptors } from './check-descriptors.ts';
import { disk, logs } from './check-disk.ts';
import { machine } from './check-machine.ts';
import { manifests } from './check-manifests.ts';
import { processes } from './check-processes.ts';
import { programs } from './check-programs.ts';
import { records } from './check-records.ts';
import { settings } from './check-settings.ts';
import { supervisor } from './check-supervisor.ts';
import { usage } from './check-usage.ts';
import { doctorDocument, doctorLines, examine } from './doctor-report.ts';
import { type Level, verdictOf, type DoctorCheck } from './finding.ts';
import type { Handler } from '../../context.ts';
import { printDocument, printLines } from '../../print.ts';
import { paintOf } from '../../../streams/views/words/paint.ts';
import { EXIT, type ExitName } from '../../../streams/wire/command-exit-status.ts';

export const ALL_CHECKS: readonly DoctorCheck[] = [
  programs,
  machine,
  dataDirectory,
  disk,
  logs,
  records,
  settings,
  manifests,
  supervisor,
  usage,
  descriptors,
  processes,
];

const STATUS: Readonly<Record<Level, ExitName>> = { ok: 'done', warning: 'failed', problem: 'sick' };

export const doctor: Handler = async (_parsed, context) => {
  const findings = await examine(ALL_CHECKS, context);
  const told = context.quiet ? findings.filter(({ level }) => level !== 'ok') : findings;
  if (context.json) printDocument(context, doctorDocument(findings));
  else if (told.length > 0)
    printLines(context, doctorLines(told, paintOf(context.colorOn(context.world.stdout))));
  return EXIT[STATUS[verdictOf(findings)]];
};
