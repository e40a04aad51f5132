// `sup why`: the causal chain behind a service's state, what happens next, and what can be done; of the services that are
// named, or of all that are in trouble. Without a supervisor from what was recorded.
import { projectId, serviceId, type ServiceId } from '../../../streams/domain/ids.ts';
import { instant } from '../../../streams/domain/time.ts';
import { dueTo, idOfInspected, whyOf } from '../../../streams/views/why/why.ts';
import type { InspectedService } from '../../../streams/wire/documents/documents.ts';
import type { WhyDocument, WhyRoot, WhyService } from '../../../streams/wire/documents/why-document.ts';
import { isInTrouble } from '../../client/activities.ts';
import type { Context } from '../../context.ts';
import { EXIT } from '../../exit-status.ts';
import type { Handler } from '../../handler.ts';
import { inspecting, type Inspector } from '../../inspecting.ts';
import { LogReader } from '../../logs/files/read.ts';
import { printDocument, printLines, remark, unsupervised } from '../../print.ts';
import { paintOf } from '../../render/paint.ts';
import { whyLines } from '../../render/page/why-page.ts';
import { selectionOf } from '../../selection/selection.ts';

/** So many of a root's last lines are told, where its error has none of its own. */
const LINES = 5;

type Known = Map<ServiceId, InspectedService>;

/** Those to whom the states of these are due, and so on. */
const withCauses = async (
  services: readonly InspectedService[],
  look: Inspector['inspect'],
): Promise<Known> => {
  const known: Known = new Map();
  for (let fresh = services; fresh.length > 0;) {
    for (const service of fresh) known.set(idOfInspected(service), service);
    const missing = [...new Set(fresh.flatMap(dueTo))].filter((id) => !known.has(id));
    fresh = missing.length === 0 ? [] : (await look({ services: missing })).services;
  }
  return known;
};

const lastLines = async (dataDir: string, service: ServiceId): Promise<readonly string[]> => {
  const reader = await LogReader.open(dataDir, [service], { lines: LINES });
  try {
    return (await reader.tail()).map(({ text }) => text);
  } finally {
    await reader.close();
  }
};

const asService = (root: WhyRoot): ServiceId => {
  const [project = '', name = ''] = root.service.split('/');
  return serviceId(projectId(project), name);
};

/** With what its roots printed last. */
const withLines = async (dataDir: string, why: WhyService): Promise<WhyService> => {
  const roots = why.roots.map(async (root) =>
    root.printed.length > 0 ? root : { ...root, printed: await lastLines(dataDir, asService(root)) },
  );
  return { ...why, roots: await Promise.all(roots) };
};

const print = (context: Context, document: WhyDocument): void => {
  if (context.json) return printDocument(context, document);
  if (document.services.length === 0) return printLines(context, ['nothing is in trouble']);
  const { stdout } = context.world;
  const paint = paintOf(context.colorOn(stdout));
  const look = { paint, sys: context.sys, columns: stdout.columns(), now: instant(Date.now()) };
  printLines(context, whyLines(document, look));
};

export const why: Handler = async (parsed, context) => {
  const selection = selectionOf(parsed, context);
  return inspecting(context, async ({ supervised, inspect }) => {
    const document = await inspect(selection);
    const isAsked = Object.keys(selection).length > 0;
    const asked = document.services.filter((service) => isAsked || isInTrouble(service));
    const known = await withCauses(asked, inspect);
    const { sys } = context;
    const around = { now: instant(Date.now()), supervised, sys, find: (id: ServiceId) => known.get(id) };
    const told = asked.map((service) => withLines(context.dataDir, whyOf(service, around)));
    if (!supervised) remark(context, unsupervised(document));
    print(context, { schema: 'sup.why/1', supervised, services: await Promise.all(told) });
    return supervised ? EXIT.done : EXIT.offline;
  });
};
