// The help line of the live view, and its page of keys. Both are made of the bindings.
import { shownLine } from '../../../streams/views/words/foreign-text.ts';
import type { Paint } from '../../../streams/views/words/paint.ts';
import { columnsOf, cut } from '../../render/text-table.ts';
import { actionText } from '../model/page-shares.ts';
import { BINDINGS, possibleKeys } from '../model/press.ts';
import { serviceCount } from '../model/rows.ts';
import type { Scene } from '../model/scene.ts';

/** The keys that the help line shows in any width, as far as they can be pressed. */
const ALWAYS: ReadonlySet<string> = new Set(['Esc', '?', 'q']);

const GAP = '  ';
const NO_KEYS = 'standard input is no terminal, so there are no keys; Ctrl-C ends the view';

/** Returns the hints that fit: the less important ones are left out, those of `ALWAYS` never. */
const hintsLine = (scene: Scene): string => {
  const hints = possibleKeys(scene).flatMap(({ label, hint }) =>
    hint === undefined ? [] : [{ label, text: `${label} ${hint(scene)}` }],
  );
  const last = hints.filter(({ label }) => ALWAYS.has(label)).map(({ text }) => text);
  let room = scene.size.columns - columnsOf(last.join(GAP));
  const fitting: string[] = [];
  for (const { label, text } of hints) {
    if (ALWAYS.has(label)) continue;
    const taken = columnsOf(text) + GAP.length;
    if (taken > room) continue;
    room -= taken;
    fitting.push(text);
  }
  return [...fitting, ...last].join(GAP);
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

/** Returns the last line: a question, the text that is being typed, or the keys that can be pressed now. */
export const footer = (scene: Scene, paint: Paint): string => {
  const { columns } = scene.size;
  if (!scene.hasKeys) return paint('yellow', cut(NO_KEYS, columns));
  if (scene.pending !== undefined) return paint('yellow', cut(questionLine(scene, scene.pending), columns));
  if (scene.typing !== undefined) return paint('bold', cut(typingLine(scene), columns));
  if (scene.isHelp) return paint('dim', cut('any key goes back', columns));
  return paint('dim', cut(hintsLine(scene), columns));
};

const LABEL_WIDTH = 8;

export const helpPage = ({ size: { columns } }: Scene, paint: Paint): readonly string[] => [
  paint('bold', cut('KEYS', columns)),
  ...BINDINGS.flatMap(({ label, help }) =>
    help === undefined ? [] : [cut(`  ${label.padEnd(LABEL_WIDTH)}${help}`, columns)],
  ),
];
