// Runs one stop with the supervisor's loop. Changes only the selected services and their records.
// Rules: `docs/behaviour.md`, "Without a supervisor", "stop".
import {
  filter,
  firstValueFrom,
  ignoreElements,
  lastValueFrom,
  map,
  merge,
  NEVER,
  type Observable,
  of,
  tap,
} from 'rxjs';
import type { Context } from '../context.ts';
import { remark } from '../print.ts';
import { fileCapture } from '../../sinks/logs/capture.ts';
import { supervisorLog, type SupervisorLog } from '../../sinks/logs/supervisor-log.ts';
import { HeldSockets } from '../../sinks/process/held-sockets.ts';
import type { RecordPorts } from '../../sinks/store/project-records.ts';
import type { RegistryWriter } from '../../sinks/store/registry-writer.ts';
import { stateWriter } from '../../sinks/store/save-changes.ts';
import type { Reply, Selection } from '../../streams/domain/command.ts';
import { bugText, messageOf } from '../../streams/domain/errors/thrown.ts';
import type { Event } from '../../streams/domain/event.ts';
import type { HandedHook } from '../../streams/domain/handed-commands.ts';
import { projectOf, requestId, type ServiceId, shownId } from '../../streams/domain/ids.ts';
import { HOOKS_PATIENCE, hooksOver, hooksText } from '../../streams/hooks/wait-for-hooks.ts';
import { asRecorded, onlyToStop, recordOf, STOP_ONLY } from '../../streams/kernel/boot/stop-only.ts';
import { type Loop, loopOf } from '../../streams/kernel/loop.ts';
import {
  adoptOutputs,
  adoptSockets,
  keep,
  keepLast,
  type RecordWriters,
  noPeers,
  nodesProcesses,
  type RunOptions,
  loopPorts,
} from '../../supervisor/index.ts';
import type { FileCapture } from '../../sinks/logs/capture-ports.ts';
import { libcOf, openLibc } from '../../os/libc/libc.ts';
import type { WordedNote } from '../../streams/domain/effect.ts';
import { worded } from '../../streams/views/notes/note-text.ts';
import { wallClock } from '../../sources/clocks.ts';

/**
 * What one stop needs: the first event, which has everything that was found in the records and among the
 * processes, and the services to stop.
 */
interface Stop {
  readonly first: Extract<Event, { type: 'booted' }>;
  readonly asked: ReadonlySet<ServiceId>;
  /** The user's selection. `asked` contains the services that it selects. */
  readonly selection: Selection;
}

/** A writer of the registry that writes nothing, because a stop does not change the registry. */
const UNTOUCHED: RegistryWriter = { follow: () => NEVER, flush: () => of(undefined), isLost: () => false };

/** Returns the writers of the records. Services that are not selected keep their records. */
const recordsOf = (ports: RecordPorts, { first, asked }: Stop, { read }: Loop): RecordWriters => {
  const recorded = asRecorded(first, asked);
  return {
    states: stateWriter(ports),
    registry: UNTOUCHED,
    read: () => recorded(read()),
  };
};

function follow({ derived }: Loop, { first, asked }: Stop, records: RecordWriters): Observable<never> {
  const recorded = recordOf(first, asked);
  const service$ = derived.service$.pipe(
    filter(({ id }) => asked.has(id)),
    map(({ id, service }) => ({ id, service: service && recorded(service) })),
  );
  return keep({ ...derived, service$ }, records);
}

/** Writes the final records. Resolves to a warning if that fails. */
const saved = async (records: RecordWriters, { asked }: Stop): Promise<readonly string[]> => {
  try {
    await lastValueFrom(keepLast(records, new Set([...asked].map(projectOf))), { defaultValue: undefined });
    return [];
  } catch (thrown) {
    return [`the stop is not recorded (${messageOf(thrown)}): the next supervisor may undo it`];
  }
};

const REQUEST = requestId('offline:stop');
const NO_ANSWER: Reply = {
  ok: false,
  error: { code: 'ERR0001', detail: 'the loop ended without an answer' },
};

interface Outcome {
  readonly reply: Reply;
  readonly warnings: readonly string[];
}

interface StopDeps {
  readonly context: Context;
  readonly log: SupervisorLog;
  readonly capture: FileCapture;
  readonly sockets: HeldSockets;
}

const openDeps = (context: Context, { first }: Stop): StopDeps => {
  const { dataDir, layout } = context;
  const log = supervisorLog({ dir: layout.supervisorLogs, foreground: false });
  const defaults = (): typeof first.settings.logs => first.settings.logs;
  return {
    context,
    log,
    sockets: new HeldSockets(log.error),
    capture: fileCapture({ dataDir, defaults, logError: log.error, libc: libcOf(openLibc()) }),
  };
};

/** Prints the loop's warnings, because no progress is shown; other messages are only logged. */
const say = (context: Context, { level, service, text }: WordedNote): void => {
  if (level !== 'warn') return;
  remark(context, service === undefined ? text : `${shownId(service)}: ${text}`);
};

function connect(
  { context, log, capture, sockets }: StopDeps,
  options: RunOptions,
  loop: Loop,
): Observable<never> {
  const around = loopPorts(options, {
    peers: noPeers,
    capture,
    sockets,
    processes: nodesProcesses(),
    notes: (note$) => log.sink(note$.pipe(tap((note) => say(context, worded(note))))),
    replies: (reply$) => reply$.pipe(ignoreElements()),
    logError: (text) => log.error(text),
    warn: (text) => log.warn(text),
    onError: (name, error) => log.error(bugText(name, error)),
    happened$: NEVER,
  });
  return loop.run(around);
}

/** Stops the selected services. Resolves to the answer when all of them have stopped. */
const begin = (loop: Loop, { capture, log }: StopDeps, { first, asked, selection }: Stop): Promise<Reply> => {
  const reply$ = loop.derived.reply$.pipe(map(({ reply }) => reply));
  const answer = firstValueFrom(reply$, { defaultValue: NO_ANSWER });
  loop.post(onlyToStop(first, asked, wallClock.now()));
  adoptOutputs(capture, loop.read(), { logError: log.error });
  loop.post({ type: 'requested', request: REQUEST, command: { type: 'stop', selection } });
  return answer;
};

const endedHooks = (left: readonly HandedHook[]): readonly string[] =>
  left.length === 0 ? [] : [`hooks of the stop took longer than 60 s and were ended: ${hooksText(left)}`];

const onlyAsked = ({ first, asked }: Stop): Stop['first'] => ({
  ...first,
  found: first.found.filter(({ service }) => asked.has(service)),
});

/** Stops the services and waits for hooks, output and records. Resolves to the answer to the request. */
export const runStop = async (context: Context, options: RunOptions, stop: Stop): Promise<Outcome> => {
  const deps = openDeps(context, stop);
  const { log, capture } = deps;
  const loop = loopOf(wallClock, STOP_ONLY);
  const records = recordsOf({ dataDir: context.dataDir, logError: log.error }, stop, loop);
  const { hook$, step$, reply$: still$ } = loop.derived;
  const hooks$ = hooksOver({ hook$, step$, still$, patience: HOOKS_PATIENCE });
  const hooks = lastValueFrom(hooks$, { defaultValue: [] });
  const closed$ = loop.derived.service$.pipe(
    tap(({ id, service }) => deps.sockets.follow(id, service)),
    ignoreElements(),
  );
  const running = merge(follow(loop, stop, records), closed$, connect(deps, options, loop)).subscribe({
    error: (error: unknown) => log.error(bugText('loop', error)),
  });
  try {
    await adoptSockets({ dataDir: context.dataDir, sockets: deps.sockets }, onlyAsked(stop));
    const reply = await begin(loop, deps, stop);
    const unsaved = await saved(records, stop);
    return { reply, warnings: [...unsaved, ...endedHooks(await hooks)] };
  } finally {
    running.unsubscribe();
    await capture.leave();
    await log.close();
  }
};
