// Requests the account of a service, and requests it again when the service changes, after each new
// connection, and every few seconds.
import { useEffect, useState } from 'preact/hooks';
import { repeat } from 'rxjs';
import type { ErrorDocument } from '../../../streams/wire/documents/documents.ts';
import type { DashboardLink } from '../connection/dashboard-link.ts';
import type { ServiceAnswer } from '../../page-messages.ts';

interface Known {
  readonly account?: ServiceAnswer;
  readonly error?: ErrorDocument;
}

interface Wanted {
  readonly service: string;
  /** How far back the samples go, such as `1h`. Without this key the account has no samples. */
  readonly window?: string;
  /**
   * When this text changes, the account is requested again. The text contains the state of the service and
   * the number of connections.
   */
  readonly version: string;
}

const EVERY_MS = 4_000;

export const useAccount = (link: DashboardLink, { service, window, version }: Wanted): Known => {
  const [known, setKnown] = useState<Known>({});
  useEffect(() => {
    const subscription = link
      .ask({ ask: 'service', service, ...(window !== undefined && { window }) })
      .pipe(repeat({ delay: EVERY_MS }))
      .subscribe({
        next: (answer) => {
          if (answer.to === 'service') setKnown({ account: answer.account });
          if (answer.to === 'failed')
            setKnown(({ account }) => ({ ...(account && { account }), error: answer.error }));
        },
        error: (thrown: unknown) => reportError(thrown),
      });
    return () => subscription.unsubscribe();
  }, [service, window, version]);
  return known;
};
