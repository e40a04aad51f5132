// The state of a service: a sign with a shape that shows the state, and the word.
import type { StateWord } from '../../../streams/wire/documents/documents.ts';
import { type Look, LOOKS } from '../model/page-words.ts';

/** Paths in a box of 12 × 12: disc, clock, cross, broken disc, ring, dash. */
const SHAPES: Readonly<Record<Look, string>> = {
  good: 'M6 1a5 5 0 1 0 0 10A5 5 0 1 0 6 1z',
  busy: 'M6 1a5 5 0 1 0 0 10V6h5A5 5 0 0 0 6 1z',
  bad: 'M3 1 1 3l3 3-3 3 2 2 3-3 3 3 2-2-3-3 3-3-2-2-3 3z',
  hurt: 'M6 11 .5 1.5h11z',
  calm: 'M6 1a5 5 0 1 0 0 10A5 5 0 1 0 6 1zm0 2.2a2.8 2.8 0 1 1 0 5.6 2.8 2.8 0 1 1 0-5.6z',
  idle: 'M1.5 4.8h9v2.4h-9z',
};

export const SignShape = ({ look }: { readonly look: Look }) => (
  <path class={`sign-${look}`} d={SHAPES[look]} fill-rule="evenodd" />
);

interface SignProps {
  readonly state: StateWord;
  /** Text after the word, such as `3/4`. */
  readonly more?: string;
}

export const StateSign = ({ state, more = '' }: SignProps) => (
  <span class={`state look-${LOOKS[state]}`}>
    <svg class="sign" viewBox="0 0 12 12" width="12" height="12" aria-hidden="true">
      <SignShape look={LOOKS[state]} />
    </svg>
    {state}
    {more === '' ? '' : ` ${more}`}
  </span>
);
