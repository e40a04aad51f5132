// `sup events`: prints past events, and with `--follow` new events. The command reads events from disk and
// needs no supervisor.
import type { ServiceId } from '../../streams/domain/ids.ts';
import { EVENT_KINDS, type EventDocument } from '../../streams/wire/documents/event-document.ts';
import type { Context, Handler } from '../context.ts';
import { EventReader, isWithin, serviceOf } from '../../sources/logs/read-events.ts';
import { EXIT } from '../../streams/wire/command-exit-status.ts';
import { usageError } from '../grammar/usage-error.ts';
import type { Parsed } from '../grammar/parsed-line.ts';
import { linesArgument, stretchArgument } from './logs/log-arguments.ts';
import { selectedPast } from '../../client/past-services.ts';
import { readRecorded } from '../../client/recorded.ts';
import { printDocument, printLines } from '../print.ts';
import { eventLines } from '../render/event-line.ts';
import { paintOf } from '../../streams/views/words/paint.ts';
import { selectionOf } from '../selection.ts';
import { untilEnough } from '../until-interrupted.ts';

type IsWanted = (event: EventDocument) => boolean;

const recordedIn = (context: Context): readonly ServiceId[] =>
  readRecorded(context).services.map(({ spec }) => spec.id);

/**
 * Returns a function that is true for each event to print. Without a selection it is true for all events,
 * even the supervisor's own. With `--follow` it is also true for events of selected services that are
 * declared later.
 */
const wantedBy = (parsed: Parsed, context: Context, past: readonly EventDocument[]): IsWanted => {
  if (Object.keys(selectionOf(parsed, context)).length === 0) return () => true;
  const seen = new Set(past.flatMap((event) => serviceOf(event) ?? []));
  let chosen = new Set<ServiceId | undefined>(selectedPast(selectionOf(parsed, context), context, [...seen]));
  recordedIn(context).forEach((id) => seen.add(id));
  const meet = (id: ServiceId): void => {
    seen.add(id);
    try {
      chosen = new Set(selectedPast(selectionOf(parsed, context), context, [...seen]));
    } catch {
      // A new service has made a selected name ambiguous: keep the previous selection.
    }
  };
  return (event) => {
    const id = serviceOf(event);
    if (id !== undefined && !seen.has(id)) meet(id);
    return chosen.has(id);
  };
};

/** Returns the kinds in all `--kind` options and comma lists. Throws a usage error for an unknown kind. */
const kindsOf = (parsed: Parsed): ReadonlySet<string> => {
  const kinds = (parsed.values.kind ?? []).flatMap((written) => written.split(','));
  const known: readonly string[] = EVENT_KINDS;
  for (const kind of kinds)
    if (!known.includes(kind))
      throw usageError(`--kind "${kind}" is no kind of event`, `one of: ${known.join(', ')}`);
  return new Set(kinds.length === 0 ? known : kinds);
};

const printer = (context: Context): ((events: readonly EventDocument[]) => void) => {
  if (context.json) return (events) => events.forEach((event) => printDocument(context, event));
  const { stdout } = context.world;
  const paint = paintOf(context.colorOn(stdout));
  return (events) => {
    const look = { paint, columns: stdout.columns() };
    if (events.length > 0)
      printLines(
        context,
        events.flatMap((event) => eventLines(event, look)),
      );
  };
};

export const events: Handler = async (parsed, context) => {
  const stretch = stretchArgument(parsed);
  const most = linesArgument(parsed);
  const isFollowing = parsed.flags.has('follow');
  const kinds = kindsOf(parsed);
  const print = printer(context);
  const reader = await EventReader.open(context.dataDir);
  try {
    const past = await reader.past();
    const isOfService = wantedBy(parsed, context, past);
    const isWanted: IsWanted = (event) => isOfService(event) && kinds.has(event.kind);
    const chosen = past.filter((event) => isWithin(event, stretch) && isWanted(event));
    print(most === 0 ? [] : chosen.slice(-most));
    if (isFollowing)
      await untilEnough(context.world, async (signal) => {
        for await (const fresh of reader.follow(signal)) print(fresh.filter(isWanted));
      });
  } finally {
    await reader.close();
  }
  return EXIT.done;
};
