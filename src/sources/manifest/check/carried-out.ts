// What a manifest may ask for and nobody carries out, always or beside what else it says, one row per key: it warns under version 2 and refuses under
// version 3. Whoever builds it deletes its row here, and its line of docs/manifest.md (a test holds the two together).
import type { ProblemCode } from '../../../streams/domain/errors/manifest-code.ts';

/** What else a service says. */
interface Beside {
  /** As the manual has it. */
  readonly told: string;
  /** Keys that are all written. */
  readonly keys?: readonly string[];
  /** None of these: a key, or a key with one value. */
  readonly no?: readonly (readonly [key: string, value?: string])[];
}

export interface NotCarriedOut {
  readonly in: 'manifest' | 'service';
  /** Below that object: `limits.nice`. */
  readonly key: string;
  /** Values that ask for nothing. */
  readonly unless?: readonly string[];
  /** Where it is not carried out; everywhere unless given. */
  readonly beside?: Beside;
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

/** It is about restarts, and a schedule has none. */
const ofRestarts = (key: string, told: string, more: Pick<NotCarriedOut, 'unless'> = {}): NotCarriedOut => ({
  in: 'service',
  key,
  beside: { told: 'with `cron`', keys: ['cron'] },
  code: 'ERR0223',
  told: `means nothing with cron: ${told}`,
  ...more,
});

/** No service is ready while a rollout checks its candidate or the switch. */
const ofRollouts = (check: string): NotCarriedOut => ({
  in: 'service',
  key: `deployment.blue_green.${check}.after_ready`,
  code: 'ERR0223',
  told: 'means nothing in a check of a rollout: only a ready service is probed at this pace',
});

const unlessOff = { unless: ['false'] };

export const NOT_CARRIED_OUT: readonly NotCarriedOut[] = [
  never('isolation.apparmor_profile'),
  never('isolation.selinux_context'),
  never('isolation.private_devices', unlessOff),
  never('isolation.private_tmp', unlessOff),
  {
    in: 'service',
    key: 'deployment.grace_period',
    unless: ['0s', '0', '0ms', '0m', '0h'],
    beside: {
      told: 'with `strategy: immediate`',
      no: [['deployment.strategy', 'rolling'], ['deployment.blue_green']],
    },
    code: 'ERR0223',
    told: 'means nothing with strategy immediate: there is no candidate to watch',
  },
  ofRollouts('candidate_health_check'),
  ofRollouts('switch_verify'),
  ofRestarts('restart_policy', 'a run that fails is not restarted', { unless: ['never'] }),
  ofRestarts('backoff', 'the next run comes at its time'),
  ofRestarts('max_restarts', 'there are no automatic restarts', { unless: ['0'] }),
];
