// The account of a service: asked again after its changes, after a new connection, and every few seconds.
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
  /** For samples, such as `1h`. */
  readonly window?: string;
  /** When this text changes, the account is requested again: service state and number of connections. */
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
