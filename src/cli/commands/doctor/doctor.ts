// `sup doctor`: checks the machine and the supervisor, and changes nothing. Exit status: 0 all is well, 1
// warnings, 2 problems.
import type { Level } from '../../../streams/doctor/finding.ts';
import { verdictOf } from '../../../streams/doctor/finding.ts';
import { ALL_CHECKS } from './all-checks.ts';
import { doctorDocument, doctorLines, examine } from './report.ts';
import { EXIT, type ExitName } from '../../../streams/wire/exit-status.ts';
import type { Handler } from '../../context.ts';
import { printDocument, printLines } from '../../print.ts';
import { paintOf } from '../../../streams/views/words/paint.ts';

const STATUS: Readonly<Record<Level, ExitName>> = { ok: 'done', warning: 'failed', problem: 'sick' };

export const doctor: Handler = async (_parsed, context) => {
  const findings = await examine(ALL_CHECKS, context);
  const told = context.quiet ? findings.filter(({ level }) => level !== 'ok') : findings;
  if (context.json) printDocument(context, doctorDocument(findings));
  else if (told.length > 0)
    printLines(context, doctorLines(told, paintOf(context.colorOn(context.world.stdout))));
  return EXIT[STATUS[verdictOf(findings)]];
};
