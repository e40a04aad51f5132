// Waiting with the supervisor: every picture that it sends is judged, until it is decided or the time is over.
import type { Client } from '../../client/client.ts';
import { applyView, NOTHING } from '../../watch/live-model.ts';
import { isSettled, judged, type Awaited, type Judged } from './awaited.ts';

export interface Waited {
  readonly services: Judged;
  readonly timedOut: boolean;
}

/**
 * Settles with the first picture in which it is decided, or with the last one when the time is over. Rejects with a
 * `ClientFailure` when the supervisor goes away or falls silent.
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
