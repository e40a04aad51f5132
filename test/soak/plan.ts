// What happens in one round: drawn before anything is done, so that a seed says the same whatever the machine does.
import { CLIENTS, NAMES, type Name } from './cast.ts';
import type { Chance } from './chance.ts';

export type Word = 'start' | 'stop' | 'restart' | 'status';

export interface Order {
  readonly client: number;
  /** Milliseconds after the round began, or after the client's last order ended. */
  readonly after: number;
  readonly word: Word;
  readonly name: Name;
}

/** `both`: the supervisor and its guardian. `with`: both and a service, in one go. */
export type Blow =
  | { readonly at: number; readonly tag: 'supervisor' | 'both' }
  | { readonly at: number; readonly tag: 'service' | 'member' | 'with'; readonly name: Name };

export interface Round {
  readonly orders: readonly Order[];
  readonly blows: readonly Blow[];
  /** The time at which the manifest is rewritten. */
  readonly edit: number | undefined;
}

const SPAN_MS = 600;
const WORDS = ['start', 'start', 'stop', 'stop', 'restart', 'restart', 'status'] as const;
const TAGS = ['supervisor', 'supervisor', 'both', 'with', 'service', 'service', 'member'] as const;
const [first, ...others] = NAMES;
const ALL: readonly [Name, ...Name[]] = [first ?? 'lines', ...others];

const orderOf = (chance: Chance, client: number, own: readonly [Name, ...Name[]]): Order => ({
  client,
  after: chance.below(SPAN_MS / 2),
  word: chance.pick(WORDS),
  name: chance.pick(own),
});

const blowOf = (chance: Chance): Blow => {
  const at = chance.below(SPAN_MS);
  const tag = chance.pick(TAGS);
  const name = chance.pick(ALL);
  return tag === 'supervisor' || tag === 'both' ? { at, tag } : { at, tag, name };
};

export const roundOf = (chance: Chance): Round => ({
  orders: CLIENTS.flatMap((own, client) =>
    Array.from({ length: chance.below(3) }, () => orderOf(chance, client, own)),
  ),
  blows: Array.from({ length: 3 + chance.below(6) }, () => blowOf(chance)).toSorted((a, b) => a.at - b.at),
  edit: chance.below(4) === 0 ? chance.below(SPAN_MS) : undefined,
});
