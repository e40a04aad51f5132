// Messages to the operator about failing logs.
import { shownId, type ServiceId } from '../../streams/domain/ids.ts';
import { listedText } from '../../streams/domain/listed-text.ts';

/** Notifies the operator, once per problem. */
export type OnTrouble = (text: string) => void;

interface Refused {
  readonly id: ServiceId;
  readonly refusal: string;
}

/** Most names in one sentence. */
const MOST = 10;

/** A sentence for each reason why logs cannot be written. */
export const refusedText = (refused: readonly Refused[]): readonly string[] =>
  [...new Set(refused.map(({ refusal }) => refusal))].map((reason) => {
    const names = refused.filter(({ refusal }) => refusal === reason).map(({ id }) => shownId(id));
    const logs = names.length === 1 ? 'the log' : 'the logs';
    return `${logs} of ${listedText(names, MOST)} cannot be written (${reason}): output is dropped until that is mended`;
  });
