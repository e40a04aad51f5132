// The steps of a rollout in words that people are shown.
import type { RolloutStep } from '../domain/service/rollout.ts';

export const STEP_WORDS: Readonly<Record<RolloutStep, string>> = {
  starting: 'the candidate starts',
  verifying: 'the candidate is verified',
  switching: 'the switch command runs',
  confirming: 'the switch is verified',
  watching: 'the candidate is watched',
  retiring: 'the old run stops',
  reverting: 'the switch is taken back',
  withdrawing: 'the candidate is stopped',
};
