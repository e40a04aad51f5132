// The present usage where nothing was sampled: the command itself asks the kernel, not the supervisor.
import type { UsageNow } from '../sources/metrics/usage-now.ts';
import type {
  InspectDocument,
  InspectedService,
  MetricsDocument,
} from '../streams/wire/documents/documents.ts';

/** Loads the module on demand, and keeps it from complaining where there is no `getconf`. */
const asking = (): Promise<typeof import('../sources/metrics/usage-now.ts')> => {
  process.env['PIDUSAGE_SILENT'] = '1';
  return import('../sources/metrics/usage-now.ts');
};

const unsampled = ({ pid, cpu_percent: cpu, rss_bytes: memory }: InspectedService): readonly number[] =>
  pid !== null && (cpu === null || memory === null) ? [pid] : [];

/** Adds the present usage to each running service without a sample: sampling may be off or too late. */
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

/** Returns the supervisor's usage since it began, or `undefined` if it is gone. */
export const supervisorUsage = async (pid: number): Promise<UsageNow | undefined> =>
  (await asking()).usageSinceStart(pid);

/** Adds the share of a core that the supervisor has used since it began. */
export const withOwnUsage = async (document: MetricsDocument): Promise<MetricsDocument> => {
  const usage = await supervisorUsage(document.supervisor.pid);
  return {
    ...document,
    supervisor: { ...document.supervisor, cpu_percent: usage?.cpuPercent ?? null },
  };
};
