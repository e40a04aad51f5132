// Explains the states of services: their causes, and the last output of the root causes.
import type { Selection } from '../../streams/domain/command.ts';
import { projectId, serviceId, type ServiceId } from '../../streams/domain/ids.ts';
import { instant } from '../../streams/domain/time.ts';
import { isInTrouble } from '../../streams/views/trouble.ts';
import { dueTo, idOfInspected, whyOf } from '../../streams/views/why/causal-chain.ts';
import type { InspectDocument, InspectedService } from '../../streams/wire/documents/documents.ts';
import type { WhyDocument, WhyRoot, WhyService } from '../../streams/wire/documents/why-document.ts';
import type { Inspector } from './inspector.ts';
import type { ReadPlace } from '../manifests/manifest-paths.ts';
import { LogReader } from '../../sources/logs/log-reader.ts';

/** Number of log lines that are shown for a root cause if its error has no output. */
const LINES = 5;

type Known = Map<ServiceId, InspectedService>;

/** Resolves to the given services and all services that caused their states, directly or indirectly. */
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

/** Adds the last log lines of the service to each root cause that has an error without output. */
const withLines = async (dataDir: string, why: WhyService): Promise<WhyService> => {
  const roots = why.roots.map(async (root) =>
    root.printed.length > 0 ? root : { ...root, printed: await lastLines(dataDir, asService(root)) },
  );
  return { ...why, roots: await Promise.all(roots) };
};

/** Returns the services that `sup why` explains: the selected ones, or without a selection all in trouble. */
export const toExplain = (
  selection: Selection,
  { services }: InspectDocument,
): readonly InspectedService[] => {
  const isAsked = Object.keys(selection).length > 0;
  return services.filter((service) => isAsked || isInTrouble(service));
};

/** Resolves to the document of `sup why`. Also reads the services that caused the given services' states. */
export const explained = async (
  { dataDir, sys }: Pick<ReadPlace, 'dataDir' | 'sys'>,
  { supervised, inspect }: Pick<Inspector, 'supervised' | 'inspect'>,
  services: readonly InspectedService[],
): Promise<WhyDocument> => {
  const known = await withCauses(services, inspect);
  const around = { now: instant(Date.now()), supervised, sys, find: (id: ServiceId) => known.get(id) };
  const told = services.map((service) => withLines(dataDir, whyOf(service, around)));
  return { schema: 'sup.why/1', supervised, services: await Promise.all(told) };
};
