// Whether the last rollout of a service failed and is not settled, as a document.
import { failedRollout } from '../rollout/failed.ts';
import type { Service } from '../domain/service/service.ts';
import type { DeployDocument } from '../wire/documents/documents.ts';
import { errorDocument } from './errors/error-text.ts';
import { timeText } from './words/time-text.ts';

/** The `deploy` part: `error` and `at` are `null` unless a failed rollout is unsettled. */
export const deployDocument = (service: Service): DeployDocument => {
  const failed = failedRollout(service);
  return {
    failed: failed !== undefined,
    error: failed?.error === undefined ? null : errorDocument(failed.error),
    at: failed === undefined ? null : timeText(failed.ended),
    rolled_back: service.rolledBack !== undefined,
  };
};
