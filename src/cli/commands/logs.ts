// `sup logs`: reads the log files themselves, so it needs no supervisor.
import { nameOf, projectOf, type ServiceId } from '../../streams/domain/ids.ts';
import type { Selectable } from '../../streams/selection/is-selected.ts';
import { select, type Known } from '../../streams/selection/select.ts';
import { loggedServices } from '../logs/list.ts';
import type { Context } from '../context.ts';
import { failure } from '../failure.ts';
import { usageError } from '../grammar/check.ts';
import { valueOf, type Parsed } from '../grammar/parsed.ts';
import { readRecorded } from '../offline/recorded.ts';
import { selectionOf } from '../selection/selection.ts';
import { logsCommand } from '../logs/print-logs.ts';
import type { Handler } from '../handler.ts';

const DEFAULT_LINES = 100;

/** A service of which nothing is left but its log: nobody knows whose manifest it was. */
const onlyLogged = (id: ServiceId): Selectable => ({
  id,
  name: nameOf(id),
  project: projectOf(id),
  manifest: '',
});

/** Services that have a log, or have been recorded: a service that printed nothing yet has an empty log. */
const known = (context: Context): Known => {
  const { services, projects, manifests } = readRecorded(context);
  const recorded = services.map(({ spec }) => spec);
  const ids = new Set(recorded.map(({ id }) => id));
  const logged = loggedServices(context.dataDir).filter((id) => !ids.has(id));
  return {
    services: [...recorded, ...logged.map(onlyLogged)],
    projects: [...Object.values(projects), ...logged.map((id) => ({ id: projectOf(id), manifest: '' }))],
    manifests,
  };
};

/** Throws ERR0202, ERR0201 and ERR0006, as the supervisor would answer. */
const selected = (parsed: Parsed, context: Context): readonly ServiceId[] => {
  const found = select(known(context), selectionOf(parsed, context));
  if (!found.ok) throw failure(found.error);
  return found.ids;
};

const linesOf = (written: string | undefined): number => {
  if (written === undefined) return DEFAULT_LINES;
  if (!/^\d{1,9}$/.test(written))
    throw usageError(`--lines "${written}" is not a whole number`, 'for example: -n 50');
  return Number(written);
};

const NARROWING = ['since', 'until', 'grep'] as const;

const narrowing = (parsed: Parsed): Partial<Record<(typeof NARROWING)[number], string>> =>
  Object.fromEntries(
    NARROWING.flatMap((option) => {
      const written = valueOf(parsed, option);
      return written === undefined ? [] : [[option, written] as const];
    }),
  );

export const logs: Handler = async (parsed, context) => {
  const services = selected(parsed, context);
  const { world, json, dataDir, colorOn } = context;
  const args = {
    services,
    follow: parsed.flags.has('follow'),
    lines: linesOf(valueOf(parsed, 'lines')),
    ...narrowing(parsed),
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
