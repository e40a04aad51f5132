// The state and the page of the live view of several machines (`docs/hosts.md`, "Several machines"). Pure
// functions.
import type { HostCommand } from './one-host.ts';
import { GAP } from './one-of-several.ts';
import { lookOf, rowsOf, TITLE } from './status-of-hosts.ts';
import { applyView, type LiveModel, NOTHING, projectsOf } from '../../client/live-model.ts';
import { isInTrouble } from '../../streams/views/trouble.ts';
import { shownLine } from '../../streams/views/words/foreign-text.ts';
import type { View } from '../../streams/wire/protocol.ts';
import { counted } from '../render/outcome-lines.ts';
import type { ShownService } from '../render/service-columns.ts';
import { serviceTable } from '../render/service-rows.ts';
import { cut } from '../render/text-table.ts';
import type { Size } from '../watch/model/scene.ts';
import { STEPS } from '../watch/model/binding.ts';
import type { Key } from '../watch/typed-keys.ts';

interface HostState {
  readonly model: LiveModel;
  /** Why the services of the machine are not known, or are only those that were last recorded. */
  readonly note?: string | undefined;
}

export interface HostsScene {
  readonly hosts: ReadonlyMap<string, HostState>;
  readonly size: Size;
  /** Index of the first row that is shown. */
  readonly top: number;
}

export type HostsInput =
  | { readonly tag: 'seen'; readonly host: string; readonly view: View; readonly note?: string }
  | { readonly tag: 'noted'; readonly host: string; readonly note: string }
  /** The command has ended on this machine, after all its output. */
  | { readonly tag: 'ended'; readonly host: string }
  | { readonly tag: 'keys'; readonly keys: readonly Key[] }
  | { readonly tag: 'resized'; readonly size: Size }
  /** A second has passed, so the ages in the table have changed. */
  | { readonly tag: 'second' };

const ENDED = 'the connection has ended';

const stateAfter = (
  before: HostState | undefined,
  input: Extract<HostsInput, { host: string }>,
): HostState => {
  const { model = NOTHING, note } = before ?? {};
  if (input.tag === 'seen') return { model: applyView(model, input.view), note: input.note };
  if (input.tag === 'noted') return { model, note: input.note };
  return { model: NOTHING, note: note ?? ENDED };
};

interface Listed {
  readonly host: string;
  readonly row: ShownService;
}

/** Returns the rows of all machines, with services in trouble first. */
const listed = ({ hosts }: HostsScene, unfolded: boolean): readonly Listed[] => {
  const all = [...hosts].flatMap(([host, { model }]) =>
    projectsOf(model).flatMap((project) => rowsOf(project, unfolded).map((row) => ({ host, row }))),
  );
  const isFailing = ({ row }: Listed): boolean => isInTrouble(row.service);
  return [...all.filter(isFailing), ...all.filter((one) => !isFailing(one))];
};

/**
 * Returns the number of rows for services. The other rows are a line for each host, a blank line, the
 * heading, and the keys.
 */
const roomOf = ({ hosts, size }: HostsScene): number => Math.max(1, size.rows - hosts.size - 3);

const scrolled = (scene: HostsScene, key: Key): HostsScene => {
  const room = roomOf(scene);
  const step = STEPS[key]?.(Math.max(1, room - 1)) ?? 0;
  const most = Math.max(0, listed(scene, false).length - room);
  return { ...scene, top: Math.min(most, Math.max(0, scene.top + step)) };
};

/** Returns the scene after an input. */
export const hostsAfter = (scene: HostsScene, input: HostsInput): HostsScene => {
  switch (input.tag) {
    case 'keys':
      return input.keys.reduce(scrolled, scene);
    case 'resized':
      return { ...scene, size: input.size };
    case 'second':
      return { ...scene };
    default:
      return {
        ...scene,
        hosts: new Map(scene.hosts).set(input.host, stateAfter(scene.hosts.get(input.host), input)),
      };
  }
};

const countsOf = ({ model }: HostState): string => {
  const services = [...model.services.values()];
  const running = services.filter(({ state }) => state === 'running').length;
  return `${counted(services.length)}, ${running} running, ${services.filter(isInTrouble).length} in trouble`;
};

const headOf = (state: HostState): readonly [text: string, isBad: boolean] => {
  const { model, note } = state;
  if (note !== undefined) return [model.services.size === 0 ? note : `${countsOf(state)}; ${note}`, true];
  return [model.heads.size === 0 ? 'connecting' : countsOf(state), false];
};

interface HostsLook {
  readonly command: HostCommand;
  /** The width of the column of host names. */
  readonly width: number;
}

/** Returns the page, one line for each row of the terminal. */
export const hostsLines = (scene: HostsScene, { command, width }: HostsLook): readonly string[] => {
  const look = lookOf(command, width);
  const { paint } = look;
  const { columns, rows: height } = scene.size;
  const marked = (host: string, line: string): string => `${host.padEnd(width)}${GAP}${line}`.trimEnd();
  const heads = [...scene.hosts].map(([host, state]) => {
    const [text, isBad] = headOf(state);
    const line = cut(marked(host, shownLine(text)), columns);
    return isBad ? paint('red', line) : line;
  });
  const all = listed(scene, look.unfolded === true);
  const room = roomOf(scene);
  const shown = all.slice(scene.top, scene.top + room);
  const table = serviceTable(
    shown.map(({ row }) => row),
    look,
  );
  const rows = table.rows.map((row, at) => marked(shown[at]?.host ?? '', row));
  const heading = shown.length === 0 ? '' : `${paint('dim', TITLE.padEnd(width))}${GAP}${table.heading}`;
  const body = [...heads, '', heading, ...rows].slice(0, Math.max(0, height - 1));
  const place = `rows ${scene.top + 1} to ${scene.top + shown.length} of ${all.length}`;
  const keys = all.length > room ? `↑↓ scroll  q quit  ${place}` : 'q quit';
  const blank = Array.from({ length: Math.max(0, height - 1 - body.length) }, () => '');
  return [...body, ...blank, paint('dim', cut(keys, columns))];
};
