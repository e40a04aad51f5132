// `sup plan` for people: one line for each service, in the order of what would be done, its changed keys below.
import type { ChangedKey, Plan, PlannedChange } from '../../../streams/domain/plan.ts';
import { shownId } from '../../../streams/domain/ids.ts';
import { lengthText } from '../../../streams/views/words/length-text.ts';
import { harmless, type Ink, type Paint } from '../paint.ts';

const SIGNS: Readonly<Record<PlannedChange['action'], readonly [sign: string, ink: Ink]>> = {
  remove: ['-', 'red'],
  add: ['+', 'green'],
  change: ['~', 'yellow'],
};

const downText = ({ action, down }: PlannedChange): string => {
  if (action === 'remove') return 'stops';
  if (action === 'add') return 'starts';
  if (down === undefined) return 'down for as long as it takes, which is not known yet';
  return down === 0 ? 'not down' : `down for about ${lengthText(down)}`;
};

const keyLine = ({ key, from, to }: ChangedKey): string => {
  if (from === undefined) return `${key}: ${to ?? ''} (new)`;
  return to === undefined ? `${key}: ${from} (gone)` : `${key}: ${from} → ${to}`;
};

const linesOf = (change: PlannedChange, paint: Paint): readonly string[] => {
  const { service, action, strategy, keys } = change;
  const [sign, ink] = SIGNS[action];
  const how = action === 'change' ? `, ${strategy}` : '';
  return [
    `${paint(ink, `${sign} ${shownId(service)}`)}  ${action}${how}: ${downText(change)}`,
    ...keys.map((key) => `    ${harmless(keyLine(key))}`),
  ];
};

export const planLines = ({ changes }: Plan, paint: Paint): readonly string[] =>
  changes.length === 0
    ? ['nothing to do: everything runs as it is declared']
    : changes.flatMap((change) => linesOf(change, paint));

/** `sup.plan/1`. */
export const planDocument = ({ changes }: Plan, warnings: readonly string[]): object => ({
  schema: 'sup.plan/1',
  changes: changes.map(({ service, action, strategy, keys, down }) => ({
    service,
    action,
    strategy,
    down_ms: down ?? null,
    keys: keys.map(({ key, from, to }) => ({ key, from: from ?? null, to: to ?? null })),
  })),
  warnings,
});
