// The help line of the live view, and its page of keys. Both are made from the list of bindings.
import { shownLine } from '../../../streams/views/words/foreign-text.ts';
import type { Ink, Paint } from '../../../streams/views/words/paint.ts';
import { columnsOf, cut } from '../../render/text-table.ts';
import { keyLines, keyRoom, possibleKeys } from '../model/all-keys.ts';
import { actionText, footRows } from '../model/page-shares.ts';
import { serviceCount } from '../model/rows.ts';
import type { Scene } from '../model/scene.ts';

/** The keys that the help line shows at any width, if they can be pressed. */
const ALWAYS: ReadonlySet<string> = new Set(['Esc', '?', 'q']);

const GAP = '  ';
const NO_KEYS = 'standard input is no terminal, so there are no keys; Ctrl-C ends the view';

/**
 * Returns rows with as many hints as fit. The less important hints are left out, but never those of `ALWAYS`.
 */
const hintRows = (scene: Scene): readonly string[] => {
  const hints = possibleKeys(scene).flatMap(({ label, hint }) =>
    hint === undefined ? [] : [{ label, text: `${label} ${hint(scene)}` }],
  );
  const last = hints.filter(({ label }) => ALWAYS.has(label)).map(({ text }) => text);
  const others = hints.filter(({ label }) => !ALWAYS.has(label));
  const { columns } = scene.size;
  const rows: string[] = [];
  let rest: readonly string[] = others.map(({ text }) => text);
  for (let row = footRows(scene); row > 0; row -= 1) {
    const room = row === 1 ? columns - columnsOf(last.join(GAP)) - GAP.length : columns;
    const { fitting, left } = fitted(rest, room, row === 1);
    rows.push([...fitting, ...(row === 1 ? last : [])].join(GAP));
    rest = left;
  }
  return rows;
};

interface Fitted {
  readonly fitting: readonly string[];
  readonly left: readonly string[];
}

/**
 * Puts hints into a row, in order, until one does not fit. In the last row, a hint that does not fit is
 * skipped.
 */
const fitted = (hints: readonly string[], columns: number, isLast: boolean): Fitted => {
  const fitting: string[] = [];
  for (const [at, hint] of hints.entries()) {
    const isRoom = columnsOf([...fitting, hint].join(GAP)) <= columns;
    if (isRoom) fitting.push(hint);
    else if (!isLast) return { fitting, left: hints.slice(at) };
  }
  return { fitting, left: [] };
};

const typingLine = ({ typing, filter, log, rows, model }: Scene): string =>
  typing === 'filter'
    ? `filter: ${shownLine(filter)}▏  ${serviceCount(rows)} of ${model.services.size}  Enter keep  Esc clear  ↑↓ select`
    : `search: ${shownLine(log.search)}▏  ${log.hits.length} found  Enter keep  Esc clear`;

const questionLine = (scene: Scene, action: NonNullable<Scene['pending']>): string => {
  const { members = [] } = scene.rows.find(({ id }) => id === action.row) ?? {};
  const all = members.length > 1 && action.type !== 'scale' ? ` (${members.length} instances)` : '';
  return `${actionText(action)}${all}? y: yes, any other key: no`;
};

const LEAVE_HELP = 'any key goes back';
const SCROLL_HELP = '↑↓ scroll, any other key goes back';

/** Returns the colour and the text of the last line; `undefined` if the last line shows the possible keys. */
const lastLineOf = (scene: Scene): readonly [Ink, string] | undefined => {
  if (!scene.hasKeys) return ['yellow', NO_KEYS];
  if (scene.pending !== undefined) return ['yellow', questionLine(scene, scene.pending)];
  if (scene.typing !== undefined) return ['bold', typingLine(scene)];
  if (!scene.isHelp) return undefined;
  return ['dim', keyLines(scene).length > keyRoom(scene) ? SCROLL_HELP : LEAVE_HELP];
};

/** Returns the last lines: a question, the text that is being typed, or the keys that can be pressed now. */
export const footer = (scene: Scene, paint: Paint): readonly string[] => {
  const { columns } = scene.size;
  const only = lastLineOf(scene);
  if (only === undefined) return hintRows(scene).map((row) => paint('dim', cut(row, columns)));
  const [ink, text] = only;
  const blank = Array.from({ length: footRows(scene) - 1 }, () => '');
  return [...blank, paint(ink, cut(text, columns))];
};

export const helpPage = (scene: Scene, paint: Paint): readonly string[] => {
  const { columns } = scene.size;
  const lines = keyLines(scene).slice(scene.helpTop, scene.helpTop + keyRoom(scene));
  return [paint('bold', cut('KEYS', columns)), ...lines.map((line) => cut(line, columns))];
};
