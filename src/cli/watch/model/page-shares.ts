// How the rows of the terminal are divided between the table, the pane below it, and messages.
import { cut } from '../../render/text-table.ts';
import { wrapped } from '../../render/paragraphs.ts';
import { shownLine } from '../../../streams/views/words/foreign-text.ts';
import { shownName } from '../../../client/live-model.ts';
import type { Remark, Scene, ServiceAction } from './scene.ts';

interface Shares {
  /** Number of rows for services, without the heading of the table; `undefined` if no table is shown. */
  readonly services: number | undefined;
  /** True if there is a line about filter and sort. */
  readonly view: boolean;
  /** True if the reason and the charts of the selected service are shown. */
  readonly detail: boolean;
  /** Number of rows of the pane, without its title; `undefined` if no pane is shown. */
  readonly pane: number | undefined;
}

const SUMMARY = 1;
/** Minimum width of a terminal in which one row has room for the help of most keys, columns. */
const WIDE = 120;
/** Minimum height of a terminal narrower than `WIDE` to have two rows of keys, rows. */
const HIGH = 24;
const HEADING = 1;
const TITLE = 1;
const DETAIL = 3;
const MIN_EVENTS = 3;
/** Minimum number of free rows at which the table and the pane are both shown. */
const ROOMY = 8;
const MOST_MESSAGE_ROWS = 3;

export const actionText = (action: ServiceAction): string => {
  const name = shownName(action.row);
  return action.type === 'scale'
    ? `scale ${name} from ${action.from} to ${action.replicas}`
    : `${action.type} ${name}`;
};

/** Returns the number of rows for keys. It depends only on the size, so that the layout does not jump. */
export const footRows = ({ size: { columns, rows } }: Scene): number =>
  columns < WIDE && rows >= HIGH ? 2 : 1;

/** Returns the text of a message, and its hint if it has one, as lines. */
export const remarkLines = ({ text, hint }: Remark): readonly string[] => [
  text,
  ...(hint ? [`hint: ${hint}`] : []),
];

/** Returns the lines of a message to the user; none if there is nothing to say. */
export const messageLines = ({ remark, busy, size }: Scene): readonly string[] => {
  const texts =
    remark === undefined
      ? busy.length === 0
        ? []
        : [`${busy.map(actionText).join(', ')} …`]
      : remarkLines(remark);
  return texts
    .flatMap((text) => wrapped(shownLine(text), size.columns))
    .slice(0, MOST_MESSAGE_ROWS)
    .map((line) => cut(line, size.columns));
};

/** True if the user has filtered or sorted the rows, or is typing a filter. */
const isChosen = ({ filter, sort, typing }: Scene): boolean =>
  filter !== '' || sort !== undefined || typing === 'filter';

const withEvents = (free: number, count: number, view: boolean): Shares => {
  const detail = free >= ROOMY;
  const rest = free - (detail ? DETAIL : 0);
  if (rest < ROOMY) return { services: rest, view, detail, pane: undefined };
  const services = Math.min(count, rest - TITLE - MIN_EVENTS);
  return { services, view, detail, pane: rest - services - TITLE };
};

const dividedWith = (view: boolean, scene: Scene): Shares => {
  const { size, rows, pane, focus, isZoomed } = scene;
  const used = SUMMARY + footRows(scene) + messageLines(scene).length;
  const available = Math.max(0, size.rows - used);
  const free = Math.max(0, available - HEADING - (view ? 1 : 0));
  const isAlone = isZoomed || (focus === 'pane' && free - TITLE < ROOMY);
  if (isAlone)
    return { services: undefined, view: false, detail: false, pane: Math.max(0, available - TITLE) };
  if (pane === 'events') return withEvents(free, rows.length, view);
  if (free - TITLE < ROOMY) return { services: free, view, detail: false, pane: undefined };
  const most = Math.floor((free - TITLE) / (focus === 'pane' ? 3 : 2));
  const services = Math.min(rows.length, most);
  return { services, view, detail: false, pane: free - TITLE - services };
};

/**
 * Returns the shares. The line about filter and sort also shows the position in the table. Therefore it is
 * also present if the table has more rows than fit.
 */
export const sharesOf = (scene: Scene): Shares => {
  const shares = dividedWith(isChosen(scene), scene);
  const fits = shares.services === undefined || scene.rows.length <= shares.services;
  return shares.view || fits ? shares : dividedWith(true, scene);
};
