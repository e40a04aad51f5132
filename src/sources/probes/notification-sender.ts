// Receives the messages of runs about themselves (sd_notify): checks the sender of each message, and parses
// the message.
//
// The sender must belong to the run. A sender that has already exited, such as `systemd-notify` in a script,
// cannot be found in the process table. In this case the user of the sender must be the user of the run, or
// root. Each run has its own socket, so a message is always about the run of the socket
// (`docs/decisions/136-who-may-notify.md`).
//
// Rules: `docs/behaviour.md`, "Health checks", "The service notifies".
import {
  asyncScheduler,
  catchError,
  concat,
  concatMap,
  defer,
  distinctUntilChanged,
  EMPTY,
  finalize,
  ignoreElements,
  from,
  lastValueFrom,
  map,
  type Observable,
  of,
  Subject,
  type SchedulerLike,
  startWith,
  switchMap,
} from 'rxjs';
import type { Datagram } from '../../os/sockets/datagram-socket.ts';
import { statOf } from '../../os/proc/process-stat.ts';
import type { Event, ProbeResult } from '../../streams/domain/event.ts';
import { shownId } from '../../streams/domain/ids.ts';
import type { ProcessScanner, Source } from '../../streams/domain/ports.ts';
import { messageOf } from '../../streams/domain/errors/thrown.ts';
import { sameProcess } from '../../streams/domain/service/process.ts';
import { ms } from '../../streams/domain/time.ts';
import type { NotifyWatch } from '../../streams/domain/watch.ts';
import { unitMark } from '../../streams/env/run-tag.ts';
import { after } from '../../streams/operators/long-timer.ts';
import { merged, messageIn, type NotifyMessage } from '../../streams/output/notify-message.ts';
import type { RunSockets } from './notify-sockets.ts';

interface NotificationPorts {
  readonly sockets: Pick<RunSockets, 'sent' | 'isReopened'>;
  readonly scanner: ProcessScanner;
  /** The uid of this process. */
  readonly uid: number;
  readonly logError: (text: string) => void;
  /** Called with a message about a sender that does not belong to the run. */
  readonly warn: (text: string) => void;
  readonly scheduler?: SchedulerLike;
}

type Ping = NonNullable<NotifyMessage['watchdog']>;

export interface NotificationSources {
  readonly notices: Source<'notify'>;
  readonly watchdogs: Source<'watchdog'>;
}

/** Maximum number of ancestors of a sender that are examined. */
const MOST_ANCESTORS = 64;
const ROOT = 0;

type Standing = 'member' | 'gone' | 'unknown';

/**
 * Returns `member` if the sender or a living ancestor is the main process of the run or is in its session,
 * `gone` if the sender has exited, otherwise `unknown`.
 */
const standingOf = (sender: number, { process }: NotifyWatch): Standing => {
  let pid = sender;
  for (let steps = 0; pid > 1 && steps < MOST_ANCESTORS; steps += 1) {
    const stat = statOf(pid);
    if (stat === undefined) return pid === sender ? 'gone' : 'unknown';
    if (sameProcess(stat, process) || stat.session === process.pid) return 'member';
    pid = stat.parent;
  }
  return 'unknown';
};

const isMember = async (
  { pid, uid }: Datagram,
  watch: NotifyWatch,
  ports: NotificationPorts,
): Promise<boolean> => {
  const { service, run, process } = watch;
  const standing = standingOf(pid, watch);
  if (standing === 'member') return true;
  if (standing === 'gone') return uid === ROOT || uid === (process.uid ?? ports.uid);
  const members = await lastValueFrom(ports.scanner.membersOf(service, run, process), { defaultValue: [] });
  return members.some((member) => member.pid === pid);
};

/**
 * Returns a function that parses the messages of members of the run and leaves out all others. It warns about
 * the first sender that is not a member.
 */
const admission = (watch: NotifyWatch, ports: NotificationPorts) => {
  let hasWarned = false;
  return async (datagrams: readonly Datagram[]): Promise<readonly NotifyMessage[]> => {
    const known = new Map<number, boolean>();
    const messages: NotifyMessage[] = [];
    for (const datagram of datagrams) {
      const { pid } = datagram;
      const isOwn = known.get(pid) ?? (await isMember(datagram, watch, ports));
      known.set(pid, isOwn);
      if (isOwn) messages.push(messageIn(datagram.bytes.toString()));
      else if (!hasWarned) {
        hasWarned = true;
        ports.warn(
          `${shownId(watch.service)}: a notification of pid ${pid} is ignored: it is not of the run`,
        );
      }
    }
    return messages;
  };
};

const eventsOf = (
  { service, run }: NotifyWatch,
  { watchdog: _, ...report }: NotifyMessage,
): readonly Event[] => (Object.keys(report).length === 0 ? [] : [{ type: 'notified', service, run, report }]);

/**
 * The time that a watchdog waits after its declared limit. If this program was paused, a message may have
 * arrived in time that it has not read yet.
 */
const UNREAD = ms(500);
const PASSED: ProbeResult = { tag: 'passed' };
const SILENT: ProbeResult = { tag: 'silent' };

type Pings = Map<string, Subject<Ping>>;

const notices =
  (ports: NotificationPorts, pings: Pings): Source<'notify'> =>
  (watch) => {
    const { service, run, process } = watch;
    const eventsIn = (messages: readonly NotifyMessage[]): readonly Event[] =>
      merged(messages).flatMap((message) => {
        if (message.watchdog) pings.get(unitMark(service, run))?.next(message.watchdog);
        return eventsOf(watch, message);
      });
    return defer(() => {
      const admitted = admission(watch, ports);
      return ports.sockets.sent(service, run, process.uid).pipe(
        concatMap((datagrams) => from(admitted(datagrams))),
        concatMap(eventsIn),
        catchError((error: unknown) => {
          ports.logError(`${shownId(service)}: its notifications are not read: ${messageOf(error)}`);
          return EMPTY;
        }),
      );
    });
  };

const watchdogs =
  ({ sockets, scheduler = asyncScheduler }: NotificationPorts, pings: Pings): Source<'watchdog'> =>
  ({ service, run, limit }) => {
    const unit = unitMark(service, run);
    const silent$: Observable<ProbeResult> = concat(
      after(limit, scheduler).pipe(ignoreElements()),
      after(UNREAD, scheduler),
    ).pipe(map(() => SILENT));
    const pings$ = defer(() => {
      const ping$ = new Subject<Ping>();
      pings.set(unit, ping$);
      return ping$.pipe(finalize(() => pings.delete(unit)));
    });
    // If this supervisor had to open the socket again, the run may still send to the old socket, where its
    // messages are lost. The time of the watchdog then begins with the first ping that arrives, not at once.
    const begun = sockets.isReopened(service, run) ? [] : (['begun'] as const);
    return pings$.pipe(
      startWith(...begun),
      switchMap((ping) => {
        if (ping === 'trigger') return of(SILENT);
        return ping === 'alive' ? concat(of(PASSED), silent$) : silent$;
      }),
      distinctUntilChanged((one, other) => one.tag === other.tag),
      map((result): Event => ({ type: 'probed', service, run, result, liveness: true })),
    );
  };

/**
 * Creates the sources of the `notify` watch and of the `watchdog` watch. The first reads the messages of a
 * run, and passes the pings among them to the watchdog of the same run.
 */
export const notifications = (ports: NotificationPorts): NotificationSources => {
  const pings: Pings = new Map();
  return { notices: notices(ports, pings), watchdogs: watchdogs(ports, pings) };
};
