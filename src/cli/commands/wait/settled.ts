// Waits with the supervisor: judges every view it sends until the outcome is known or the time is over.
import type { Client } from '../../client/client.ts';
import { applyView, NOTHING } from '../../watch/live-model.ts';
import { isSettled, judged, type Awaited, type Judged } from './awaited.ts';

export interface Waited {
  readonly services: Judged;
  readonly timedOut: boolean;
}

/**
 * Settles with the first view that decides the outcome, or with the last view when the time is over. Rejects
 * with a `ClientFailure` if the supervisor ends or stops answering.
 */
export const settled = (client: Client, whom: Awaited, timeout: number | undefined): Promise<Waited> =>
  new Promise((resolve, reject) => {
    let model = NOTHING;
    let { seen } = whom;
    const late = (): void => resolve({ services: judged(seen, whom), timedOut: true });
    const timer = timeout === undefined ? undefined : setTimeout(late, timeout);
    client.onView((view) => {
      model = applyView(model, view);
      seen = model.services;
      const services = judged(seen, whom);
      if (!isSettled(services)) return;
      clearTimeout(timer);
      resolve({ services, timedOut: false });
    });
    void client.ended.then((failed) => {
      clearTimeout(timer);
      if (failed !== undefined) reject(failed);
    });
    client.call('watch', {}).catch(reject);
  });
