// `sup status --watch` of several machines on a terminal: one table with a column HOST, drawn again at each
// change. If the command fails on a machine, the line of the machine says so, and the command is tried again.
import {
  auditTime,
  defer,
  finalize,
  fromEvent,
  fromEventPattern,
  interval,
  lastValueFrom,
  map,
  merge,
  Observable,
  repeat,
  scan,
  takeUntil,
  takeWhile,
  tap,
} from 'rxjs';
import { hostsAfter, type HostsInput, hostsLines, type HostsScene } from './hosts-scene.ts';
import type { HostCommand } from './one-host.ts';
import { type HostText, onOneOf } from './one-of-several.ts';
import { lookOf, rowsOf } from './status-of-hosts.ts';
import { failedWith } from '../../client/client-failure.ts';
import { isErrorDocument } from '../../client/host/dial-frames.ts';
import type { HostPlace } from '../../client/host/ssh-line.ts';
import { NOTHING } from '../../client/live-model.ts';
import { type Fields, fieldsIn } from '../../streams/wire/params/checked-fields.ts';
import type { ErrorDocument } from '../../streams/wire/documents/basic-documents.ts';
import type { StatusDocument } from '../../streams/wire/documents/documents.ts';
import { EXIT, type CommandStatus } from '../../streams/wire/command-exit-status.ts';
import type { View } from '../../streams/wire/protocol.ts';
import { unsupervised } from '../print.ts';
import { serviceTable } from '../render/service-rows.ts';
import type { StatusLook } from '../render/status-table.ts';
import { enoughFor } from '../until-interrupted.ts';
import type { Size } from '../watch/model/scene.ts';
import { takeScreen } from '../watch/take-screen.ts';
import { typedKeys } from '../watch/typed-keys.ts';
import type { World } from '../process-ports.ts';

/** The time between the end of a command and the next attempt on that machine, ms. */
const AGAIN_MS = 5_000;
const FRAME_MS = 100;
const SECOND_MS = 1_000;

/** Returns the view in a document: a live view, or the recorded status as a full view with a note. */
const viewIn = (fields: Fields): { readonly view: View; readonly note?: string } | undefined => {
  if (fields['schema'] === 'sup.view/1') return { view: fields as unknown as View };
  if (fields['schema'] !== 'sup.status/1') return undefined;
  const { projects, supervisor } = fields as unknown as StatusDocument;
  return { view: { full: true, projects, gone: [] }, note: unsupervised({ supervisor }) };
};

/**
 * Returns a function that converts a document to inputs. If the table cannot show the document, the input is
 * a note that `sup` on that machine has another version (ERR0234).
 */
const seenIn =
  (look: StatusLook) =>
  ({ host, line }: HostText): readonly HostsInput[] => {
    try {
      const seen = viewIn(fieldsIn(line) ?? {});
      if (seen === undefined) return [];
      const { projects } = seen.view;
      serviceTable(
        projects.flatMap((project) => rowsOf(project, true)),
        look,
      );
      return [{ tag: 'seen', host, ...seen }];
    } catch {
      return [{ tag: 'noted', host, note: noteOf(failedWith({ code: 'ERR0234', host }).document) }];
    }
  };

const noteOf = ({ code, message }: ErrorDocument): string => `${code} ${message}`;

/** Returns the error or the warning in a line of standard error. Leaves out hints, which are indented. */
const notedIn = ({ host, line }: HostText): readonly HostsInput[] => {
  const { error } = fieldsIn(line) ?? {};
  if (isErrorDocument(error)) return [{ tag: 'noted', host, note: noteOf(error) }];
  return line.startsWith(' ') || line === '' ? [] : [{ tag: 'noted', host, note: line }];
};

/** Returns the command that runs on each machine: it prints documents and reads no keys. */
const printing = (command: HostCommand, onInterrupt: World['onInterrupt']): HostCommand => {
  const { line, parsed, world } = command;
  const { stdout, stderr } = world;
  const piped = { terminal: false };
  return {
    ...command,
    line: [...line, '--json'],
    parsed: { ...parsed, flags: new Set([...parsed.flags, 'json'] as const) },
    world: {
      ...world,
      ...{ onInterrupt, leave: () => undefined },
      ...{ stdout: { ...stdout, ...piped }, stderr: { ...stderr, ...piped } },
    },
  };
};

interface Watched {
  readonly command: HostCommand;
  readonly places: readonly HostPlace[];
  /** The width of the column of host names. */
  readonly width: number;
}

/**
 * Emits the inputs from one machine until the command ends there. If the subscription ends before that, the
 * command is interrupted.
 */
function newsOf({ command, width }: Watched, place: HostPlace): Observable<HostsInput> {
  return new Observable((subscriber) => {
    const { host } = place;
    const seen = seenIn(lookOf(command, width));
    const interrupts = new Set<() => void>();
    const onInterrupt: World['onInterrupt'] = (listener) => {
      interrupts.add(listener);
      return () => interrupts.delete(listener);
    };
    const emit = (inputs: readonly HostsInput[]): void => inputs.forEach((input) => subscriber.next(input));
    const print = {
      width: 0,
      out: (text: HostText) => emit(seen(text)),
      err: (text: HostText) => emit(notedIn(text)),
    };
    void onOneOf(printing(command, onInterrupt), place, print).then(() => {
      emit([{ tag: 'ended', host }]);
      subscriber.complete();
    });
    return () => interrupts.forEach((interrupt) => interrupt());
  });
}

const sizeOf = ({ stdout }: World): Size => ({ columns: stdout.columns() ?? 80, rows: stdout.rows() ?? 24 });

/** Emits the inputs from the user and the clock. */
function ownInputs(world: World): Observable<HostsInput> {
  const { keyboard } = world;
  const typed$ = new Observable<string>((subscriber) =>
    keyboard.onTyped(
      (text) => subscriber.next(text),
      () => subscriber.next('q'),
    ),
  );
  const size = (): HostsInput => ({ tag: 'resized', size: sizeOf(world) });
  return merge(
    typedKeys(typed$).pipe(map((keys): HostsInput => ({ tag: 'keys', keys }))),
    fromEventPattern(keyboard.onResize, (_, remove: () => void) => remove()).pipe(map(size)),
    interval(SECOND_MS).pipe(map((): HostsInput => ({ tag: 'second' }))),
  );
}

const QUITTING: ReadonlySet<string> = new Set(['q', 'interrupt']);

const isQuitting = (input: HostsInput): boolean =>
  input.tag === 'keys' && input.keys.some((key) => QUITTING.has(key));

/** Shows the table until the user quits. Resolves to the exit status. */
export const watchHosts = async (watched: Watched): Promise<CommandStatus> => {
  const { command, places, width } = watched;
  const { world } = command;
  const first: HostsScene = {
    hosts: new Map(places.map(({ host }) => [host, { model: NOTHING }])),
    ...{ size: sizeOf(world), top: 0 },
  };
  const news = places.map((place) => newsOf(watched, place).pipe(repeat({ delay: AGAIN_MS })));
  const { enough, deafen } = enoughFor(world);
  const view$ = defer(() => {
    const screen = takeScreen(world);
    return merge(ownInputs(world), ...news).pipe(
      takeWhile((input) => !isQuitting(input)),
      scan(hostsAfter, first),
      auditTime(FRAME_MS),
      tap((scene) => screen.draw(hostsLines(scene, { command, width }), scene.size)),
      finalize(screen.leave),
    );
  });
  try {
    const enough$ = fromEvent(enough.signal, 'abort');
    await lastValueFrom(view$.pipe(takeUntil(enough$)), { defaultValue: undefined });
    return EXIT.done;
  } finally {
    deafen();
  }
};
