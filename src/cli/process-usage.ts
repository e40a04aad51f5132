// What is used right now, where nothing was sampled: the command itself asks the kernel, not the supervisor.
import type { UsageNow } from '../sources/metrics/usage-now.ts';
import type {
  InspectDocument,
  InspectedService,
  MetricsDocument,
} from '../streams/wire/documents/documents.ts';

/** Loaded where it is needed. It would complain on standard error where there is no `getconf`, and knows what to do without. */
const asking = (): Promise<typeof import('../sources/metrics/usage-now.ts')> => {
  process.env['PIDUSAGE_SILENT'] = '1';
  return import('../sources/metrics/usage-now.ts');
};

const unsampled = ({ pid, cpu_percent: cpu, rss_bytes: memory }: InspectedService): readonly number[] =>
  pid !== null && (cpu === null || memory === null) ? [pid] : [];

/** With the usage, as of now, of each service that runs and has no sample: sampling is off, or has not come to it yet. */
export const withUsage = async (document: InspectDocument): Promise<InspectDocument> => {
  const pids = document.services.flatMap(unsampled);
  if (pids.length === 0) return document;
  const found = await (await asking()).usageOfTrees(pids);
  const services = document.services.map((service) => {
    const [usage] = unsampled(service).flatMap((pid) => found.get(pid) ?? []);
    return usage === undefined
      ? service
      : { ...service, cpu_percent: usage.cpuPercent, rss_bytes: usage.rssBytes };
  });
  return { ...document, services };
};

/** Of the supervisor, its processor time since it began; `undefined`: it is gone. */
export const supervisorUsage = async (pid: number): Promise<UsageNow | undefined> =>
  (await asking()).usageSinceStart(pid);

/** With the share of a core that the supervisor has used since it began. */
export const withOwnUsage = async (document: MetricsDocument): Promise<MetricsDocument> => {
  const usage = await supervisorUsage(document.supervisor.pid);
  return {
    ...document,
    supervisor: { ...document.supervisor, cpu_percent: usage?.cpuPercent ?? null },
  };
};
