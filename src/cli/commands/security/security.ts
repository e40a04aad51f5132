// `sup security`: rates how open services are, by checks of their declarations and of their living processes.
// The exit status is 1 if a score is above `--threshold`, otherwise 0.
import { projectId, serviceId } from '../../../streams/domain/ids.ts';
import { failure } from '../../../streams/views/errors/command-failure.ts';
import { securityDocument } from '../../../streams/views/security/security-report.ts';
import { paintOf } from '../../../streams/views/words/paint.ts';
import type { SecurityDocument } from '../../../streams/wire/documents/security-documents.ts';
import { EXIT } from '../../../streams/wire/command-exit-status.ts';
import type { Context, Handler } from '../../context.ts';
import { type Parsed, valueOf } from '../../grammar/parsed-line.ts';
import { printDocument, printLines, printWarnings, remark } from '../../print.ts';
import { securityLines } from '../../render/page/security-page.ts';
import { securitySummary } from '../../render/page/security-summary.ts';
import { judgedServices } from './judged-services.ts';
import { supervisorRows } from './supervisor-rows.ts';

const SCORE = /^(?:10(?:\.0)?|\d(?:\.\d)?)$/;

/** Returns the value of `--threshold`. Throws ERR0246 if it is no score. */
const thresholdIn = (parsed: Parsed): number | undefined => {
  const written = valueOf(parsed, 'threshold');
  if (written === undefined) return undefined;
  if (!SCORE.test(written)) throw failure({ code: 'ERR0246', written }, 'usage');
  return Number(written);
};

/** Throws ERR0247 if the score of a service is above the threshold. */
const refuseOpen = ({ services }: SecurityDocument, threshold: number): void => {
  const open = services.filter(({ score }) => score > threshold);
  if (open.length === 0) return;
  const scores = open.map(
    ({ project, name, score }) => [serviceId(projectId(project), name), score] as const,
  );
  throw failure({ code: 'ERR0247', threshold, scores });
};

const UNSUPERVISED = 'no supervisor is running: only the declaration is judged';

const print = (document: SecurityDocument, isNamed: boolean, context: Context): void => {
  if (context.json) return printDocument(context, document);
  const isLiving = document.supervised || document.services.some(({ pid }) => pid !== null);
  if (!isLiving) remark(context, UNSUPERVISED);
  const { stdout } = context.world;
  const { sys, verbose } = context;
  const paint = paintOf(context.colorOn(stdout));
  const look = { paint, sys, verbose, columns: stdout.columns() };
  printLines(context, (isNamed || verbose ? securityLines : securitySummary)(document, look));
};

export const security: Handler = async (parsed, context) => {
  const threshold = thresholdIn(parsed);
  const { warnings, environment, isEverything, ...judged } = await judgedServices(parsed, context);
  const specs = judged.services.map(({ spec }) => spec);
  const supervisor = isEverything ? await supervisorRows(context, { specs, environment }) : [];
  const document = securityDocument({ ...judged, supervisor });
  printWarnings(context, warnings);
  print(document, parsed.operands.length > 0 || parsed.values.service !== undefined, context);
  if (threshold !== undefined) refuseOpen(document, threshold);
  return EXIT.done;
};
