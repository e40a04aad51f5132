// All checks of `sup security`, the heaviest first (`docs/security.md`, "The score").
import { CALL_CHECKS } from './call-checks.ts';
import { IDENTITY_CHECKS } from './identity-checks.ts';
import type { SecurityCheck } from './security-check.ts';
import { SIGHT_CHECKS } from './sight-checks.ts';

export const SECURITY_CHECKS: readonly SecurityCheck[] = [
  ...IDENTITY_CHECKS,
  ...SIGHT_CHECKS,
  ...CALL_CHECKS,
].toSorted((one, other) => other.weight - one.weight);
