// The part of the catalogue about commands that bring services to new runs.
import { entry } from './catalogue-entry.ts';

export const RESTARTING = {
  ERR0301: entry(
    'a registered manifest is invalid',
    'restart and apply read every registered manifest first, and those that they are about must be valid; running workloads are unchanged',
    'to see what is wrong: sup validate -c <manifest>; to drop a manifest that is not needed: sup forget <manifest>',
  ),
  ERR0302: entry(
    'restart left units short of their target',
    'each of them has an error of its own',
    'fix the services above',
  ),
  ERR0303: entry(
    'nothing to roll back to',
    'no other declaration of these services has had a run that was ready, or they are rolled back already; one earlier declaration is kept',
    'correct the manifest, then: sup apply',
  ),
} as const;
