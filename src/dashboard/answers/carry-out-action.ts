// Carries out the actions of a page, if the user has allowed actions.
import { hashOfPlan } from '../../client/api/plan-hash.ts';
import { failedWith } from '../../client/client-failure.ts';
import type { Sup } from '../../client/api/sup-interface.ts';
import { maskedPlan } from '../../streams/views/words/masked-text.ts';
import type { DoneDocument } from '../../streams/wire/documents/command-documents.ts';
import type { Action, PlanAnswer } from '../page-messages.ts';

export const planned = async (sup: Sup): Promise<PlanAnswer> => {
  const plan = await sup.plan({}, { showValues: true });
  return { plan: maskedPlan(plan), hash: hashOfPlan(plan) };
};

/**
 * Applies the current plan. Rejects with ERR0238 if that plan differs from the plan that the page has shown.
 */
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
