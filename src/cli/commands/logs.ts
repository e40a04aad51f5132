// `sup logs`: reads the log files themselves, so it needs no supervisor.
import { LOOSE, nameOf, projectOf, type ServiceId } from '../../streams/domain/ids.ts';
import { loggedServices } from '../logs/list.ts';
import type { Context } from '../context.ts';
import { failure } from '../failure.ts';
import { usageError } from '../grammar/check.ts';
import type { Parsed } from '../grammar/parsed.ts';
import { readRecorded } from '../offline/recorded.ts';
import { selectionOf } from '../selection/selection.ts';
import { logsCommand } from '../logs/print-logs.ts';
import type { Handler } from '../handler.ts';

const DEFAULT_LINES = 100;

/** Services that have a log, or have been recorded: a service that printed nothing yet has an empty log. */
const known = (context: Context, manifest: string | undefined): readonly ServiceId[] => {
  const { services } = readRecorded(context);
  if (manifest !== undefined)
    return services.filter(({ spec }) => spec.manifest === manifest).map(({ spec }) => spec.id);
  return [...new Set([...loggedServices(context.dataDir), ...services.map(({ spec }) => spec.id)])];
};

const refuseSeveral = (name: string, found: readonly ServiceId[]): void => {
  if (found.length > 1) throw failure({ code: 'ERR0006', name, projects: found.map(projectOf) });
};

const shown = (id: ServiceId): string => (projectOf(id) === LOOSE ? nameOf(id) : id);

/** Throws ERR0202 and ERR0006, as the supervisor would answer. */
const selected = (parsed: Parsed, context: Context): readonly ServiceId[] => {
  const { project, service, manifest } = selectionOf(parsed, context);
  const all = known(context, manifest);
  const found = all.filter(
    (id) =>
      (project === undefined || projectOf(id) === project) &&
      (service === undefined || nameOf(id) === service || id === service),
  );
  const name = service ?? project;
  if (found.length === 0 && name !== undefined)
    throw failure({ code: 'ERR0202', name, known: all.map(shown) });
  if (service !== undefined) refuseSeveral(service, found);
  return found;
};

const linesOf = (written: string | undefined): number => {
  if (written === undefined) return DEFAULT_LINES;
  if (!/^\d{1,9}$/.test(written))
    throw usageError(`--lines "${written}" is not a whole number`, 'for example: -n 50');
  return Number(written);
};

const optionsOf = ({
  values: { since, until, grep },
}: Parsed): Partial<Record<'since' | 'until' | 'grep', string>> => ({
  ...(since === undefined ? {} : { since }),
  ...(until === undefined ? {} : { until }),
  ...(grep === undefined ? {} : { grep }),
});

export const logs: Handler = async (parsed, context) => {
  const services = selected(parsed, context);
  const { world, json, dataDir, colorOn } = context;
  const args = {
    services,
    follow: parsed.flags.has('follow'),
    lines: linesOf(parsed.values.lines),
    ...optionsOf(parsed),
    json,
    prefix: services.length > 1,
  };
  const enough = new AbortController();
  const deafen = world.onInterrupt(() => enough.abort());
  world.readerGone.addEventListener('abort', () => enough.abort(), { once: true });
  try {
    const out = { write: world.stdout.write, color: colorOn(world.stdout) };
    return await logsCommand(args, out, { dataDir, signal: enough.signal });
  } finally {
    deafen();
  }
};
