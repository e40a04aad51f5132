// What a page may change, if the user has allowed it.
import { createHash } from 'node:crypto';
import { failedWith } from '../../client/client-failure.ts';
import type { Sup } from '../../client/api/sup-interface.ts';
import { maskedPlan } from '../../streams/views/words/masked-text.ts';
import type { DoneDocument, PlanDocument } from '../../streams/wire/documents/command-documents.ts';
import type { Action, PlanAnswer } from '../page-messages.ts';

/** Returns the hash of what the plan changes. How long it may take is no part of it. */
const hashOf = ({ changes, tables }: PlanDocument): string => {
  const changed = changes.map(({ service, action, strategy, rest, keys }) => ({
    ...{ service, action, strategy, rest, keys },
  }));
  return createHash('sha256')
    .update(JSON.stringify([changed, tables]))
    .digest('base64url');
};

export const planned = async (sup: Sup): Promise<PlanAnswer> => {
  const plan = await sup.plan({}, { showValues: true });
  return { plan: maskedPlan(plan), hash: hashOf(plan) };
};

/** Applies the plan. Rejects with ERR0238 if it is another one than the page has shown. */
const applied = async (sup: Sup, shown: string): Promise<DoneDocument> => {
  const { plan, hash } = await planned(sup);
  if (hash !== shown) throw failedWith({ code: 'ERR0238', changes: plan.changes.length });
  return sup.apply();
};

/** Carries out the action. Rejects with ERR0237 unless actions are allowed. */
export const carryOut = async (sup: Sup, action: Action, isAllowed: boolean): Promise<DoneDocument> => {
  if (!isAllowed) throw failedWith({ code: 'ERR0237', action: action.what });
  switch (action.what) {
    case 'start':
    case 'stop':
    case 'restart':
      return sup[action.what]({ services: action.services });
    case 'scale':
      return sup.scale(action.counts);
    case 'apply':
      return applied(sup, action.plan);
  }
};
