// What a manifest may ask for and nobody carries out, one row per key: it warns under version 2 and refuses under
// version 3. Whoever builds it deletes its row here, and its line of docs/manifest.md (a test holds the two together).
import type { ProblemCode } from '../../../streams/domain/errors/manifest-code.ts';

export interface NotCarriedOut {
  readonly in: 'manifest' | 'service';
  /** Below that object: `limits.nice`. */
  readonly key: string;
  /** Values that ask for nothing. */
  readonly unless?: readonly string[];
  readonly code: ProblemCode;
  /** What is said of it, and what happens instead. */
  readonly told: string;
}

/** Declared, and never meant to be carried out. */
const never = (key: string, more: Pick<NotCarriedOut, 'unless'> = {}): NotCarriedOut => ({
  in: 'service',
  key,
  code: 'ERR0721',
  told: 'is never applied',
  ...more,
});

const unlessOff = { unless: ['false'] };

export const NOT_CARRIED_OUT: readonly NotCarriedOut[] = [
  never('isolation.apparmor_profile'),
  never('isolation.selinux_context'),
  never('isolation.private_devices', unlessOff),
  never('isolation.private_tmp', unlessOff),
];
