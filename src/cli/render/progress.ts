// Shows what a slow command waits for, on standard error: on a terminal a block that is redrawn, otherwise
// one line per result.
import { STATE_INK } from './service-columns.ts';
import { columnsOf, cut } from './text-table.ts';
import {
  applyView,
  changesIn,
  type LiveChange,
  type LiveModel,
  type LiveService,
  NOTHING,
  shownName,
} from '../../client/live-model.ts';
import type { Screen } from '../process-ports.ts';
import type { Selection } from '../../streams/domain/command.ts';
import { instant, type Instant, ms, lengthText } from '../../streams/domain/time.ts';
import { shownLine } from '../../streams/views/words/foreign-text.ts';
import type { Paint } from '../../streams/views/words/paint.ts';
import type { View } from '../../streams/wire/protocol.ts';
import { reasonNow } from '../../streams/views/words/reason.ts';

/** Returns a line such as `shop/web starting → running`, with health, pid and reason if they are known. */
export const changeLine = ({ id, service, from }: LiveChange, paint: Paint): string => {
  const { state, health, pid, reason } = service;
  const move = from === undefined || from === state ? '' : `${from} → `;
  const facts = [
    health === 'unknown' ? undefined : health,
    pid === null ? undefined : `pid ${pid}`,
    reason ?? undefined,
  ].filter((fact) => fact !== undefined);
  const tail = facts.length === 0 ? '' : ` (${shownLine(facts.join(', '))})`;
  return `${shownName(id)} ${move}${paint(STATE_INK[state], state)}${tail}`;
};

/** What a command does, and which services it still waits for. */
export interface Activity {
  /** A verb such as `starting` or `stopping`. */
  readonly verb: string;
  /** Selects the services that the command affects. */
  readonly selection: Selection;
  readonly pending: (service: LiveService) => boolean;
}

interface ProgressLook {
  readonly paint: Paint;
  /** Time since the displayed command began, ms. */
  readonly elapsed: number;
  readonly now: Instant;
  readonly columns: number;
  readonly rows: number;
  readonly frame: number;
}

const SPINNER = '⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏';
const SHOWN = 8;

const pendingLine = ({ id, service }: LiveService, { paint, columns, now }: ProgressLook): string => {
  const { state, pid } = service;
  const reason = reasonNow(service, now);
  const process = pid === null ? '' : ` pid ${pid}`;
  const tail = `${process}${reason === null ? '' : ` ${shownLine(reason)}`}`;
  const head = cut(`  ${shownName(id)} `, columns);
  const word = cut(state, columns - columnsOf(head));
  return `${head}${paint(STATE_INK[state], word)}${cut(tail, columns - columnsOf(head) - word.length)}`;
};

/** Returns how many services are shown, so that the lines above and below them also fit on the terminal. */
const shownIn = ({ rows }: ProgressLook, waiting: number): number => {
  const most = Math.max(0, Math.min(SHOWN, rows - 2));
  return waiting <= most ? waiting : Math.max(0, Math.min(SHOWN, rows - 3));
};

/** Returns the progress of a command as a block for a terminal, one string per line. */
const progressLines = (
  model: LiveModel,
  { verb, pending }: Activity,
  look: ProgressLook,
): readonly string[] => {
  const all = [...model.services].map(([id, service]) => ({ id, service }));
  const waiting = all.filter(pending);
  const spinner = SPINNER[look.frame % SPINNER.length] ?? '';
  const count = all.length === 0 ? '' : `: ${all.length - waiting.length} of ${all.length} done`;
  const shown = shownIn(look, waiting.length);
  const more = waiting.length - shown;
  const said = cut(` ${verb}${count}, ${lengthText(ms(look.elapsed))}`, look.columns - 1);
  return [
    `${look.paint('cyan', spinner)}${said}`,
    ...waiting.slice(0, shown).map((service) => pendingLine(service, look)),
    ...(more > 0 ? [cut(`  and ${more} more`, look.columns)] : []),
  ].slice(0, Math.max(1, look.rows - 1));
};

/** Returns a function that draws a block of lines in place of the previous block. */
const inPlace = (screen: Screen): { draw: (lines: readonly string[]) => void } => {
  let height = 0;
  return {
    draw: (lines) => {
      if (height === 0 && lines.length === 0) return;
      const up = height === 0 ? '' : `\u001b[${height}A`;
      screen.write(`${up}\r\u001b[J${lines.map((line) => `${line}\n`).join('')}`);
      height = lines.length;
    },
  };
};

export interface Progress {
  /** Returns true if a service was pending and its result is not printed yet. */
  readonly owes: () => boolean;
  readonly see: (view: View) => void;
  readonly tick: () => void;
  readonly end: () => void;
}

interface Ports {
  readonly screen: Screen;
  readonly paint: Paint;
  /** Returns the time since the displayed command began, ms. */
  readonly elapsed: () => number;
  /** Returns the current time, in milliseconds since 1970. */
  readonly now: () => number;
  /**
   * False if the block cannot be redrawn, because the terminal cannot move its cursor (`TERM=dumb`) or is on
   * another machine.
   */
  readonly drawn?: boolean;
}

const onTerminal = (activity: Activity, { screen, paint, elapsed, now }: Ports): Progress => {
  const block = inPlace(screen);
  let model = NOTHING;
  let frame = 0;
  return {
    owes: () => false,
    see: (view) => {
      model = applyView(model, view);
    },
    tick: () => {
      frame += 1;
      block.draw(
        progressLines(model, activity, {
          ...{ paint, frame },
          ...{ elapsed: elapsed(), now: instant(now()) },
          // The last column stays free, because some terminals wrap as soon as it is written.
          ...{ columns: (screen.columns() ?? Infinity) - 1, rows: screen.rows() ?? Infinity },
        }),
      );
    },
    end: () => block.draw([]),
  };
};

/** Returns when the service last became ready or exited, as an ISO time; empty if neither has happened. */
const resultAt = ({ service: { ready_at: ready, last_exit: exit } }: LiveService): string =>
  [ready ?? '', exit?.at ?? ''].toSorted().at(-1) ?? '';

/** Prints one line for each service that is no longer pending, oldest result first. */
const asLines = (activity: Activity, { screen, paint }: Ports): Progress => {
  let model = NOTHING;
  const awaited = new Set<string>();
  const isResult = (change: LiveService): boolean => {
    if (activity.pending(change)) {
      awaited.add(change.id);
      return false;
    }
    return awaited.delete(change.id);
  };
  return {
    owes: () => awaited.size > 0,
    see: (view) => {
      const results = changesIn(model, view)
        .filter(isResult)
        .toSorted((one, other) => resultAt(one).localeCompare(resultAt(other)));
      if (results.length > 0) screen.write(results.map((each) => `${changeLine(each, paint)}\n`).join(''));
      model = applyView(model, view);
    },
    tick: () => undefined,
    end: () => undefined,
  };
};

export const progress = (activity: Activity, ports: Ports): Progress =>
  ports.screen.terminal && ports.drawn !== false ? onTerminal(activity, ports) : asLines(activity, ports);
