// Asks for confirmation before an action, then shows its outcome.
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { ErrorDocument } from '../../../streams/wire/documents/documents.ts';
import type { DoneDocument } from '../../../streams/wire/documents/command-documents.ts';
import type { DashboardLink } from '../connection/dashboard-link.ts';
import { outcomeText } from '../model/outcome-text.ts';
import type { Action } from '../../page-messages.ts';
import { Dialog } from '../parts/dialog.tsx';
import { ErrorNote } from '../parts/error-note.tsx';

interface ConfirmProps {
  readonly link: DashboardLink;
  readonly title: string;
  /** The word on the button. */
  readonly verb: string;
  readonly action: Action;
  readonly children: ComponentChildren;
  readonly onClose: () => void;
}

type Progress =
  | { readonly at: 'asking' | 'working' | 'lost' }
  | { readonly at: 'done'; readonly done: DoneDocument }
  | { readonly at: 'failed'; readonly error: ErrorDocument };

const Outcome = ({ progress }: { readonly progress: Progress }) => {
  if (progress.at === 'working') return <p>Working…</p>;
  if (progress.at === 'lost')
    return <p>The connection was lost. Whether it was carried out shows the table.</p>;
  if (progress.at === 'failed') return <ErrorNote error={progress.error} />;
  if (progress.at !== 'done') return null;
  const { services, warnings } = progress.done;
  return (
    <>
      <ul class="outcomes">
        {services.length === 0 ? <li>Nothing had to be done.</li> : null}
        {services.map((outcome) => (
          <li key={outcome.service}>{outcomeText(outcome)}</li>
        ))}
      </ul>
      {warnings.map((warning) => (
        <p key={warning}>{warning}</p>
      ))}
    </>
  );
};

export const ConfirmAction = ({ link, title, verb, action, children, onClose }: ConfirmProps) => {
  const [progress, setProgress] = useState<Progress>({ at: 'asking' });
  const act = (): void => {
    setProgress({ at: 'working' });
    link.ask({ ask: 'act', action }).subscribe({
      next: (answer) => {
        if (answer.to === 'act') setProgress({ at: 'done', done: answer.done });
        if (answer.to === 'failed') setProgress({ at: 'failed', error: answer.error });
      },
      complete: () => setProgress((now) => (now.at === 'working' ? { at: 'lost' } : now)),
      error: (thrown: unknown) => reportError(thrown),
    });
  };
  const isAsking = progress.at === 'asking';
  return (
    <Dialog title={isAsking ? title : title.replace('?', '')} onClose={onClose}>
      {isAsking ? children : null}
      <div aria-live="polite">
        <Outcome progress={progress} />
      </div>
      <div class="dialog-buttons">
        {isAsking && (
          <button type="button" class="button primary" onClick={act}>
            {verb}
          </button>
        )}
        <button type="button" class="button" autofocus onClick={onClose}>
          {isAsking ? 'Cancel' : 'Close'}
        </button>
      </div>
    </Dialog>
  );
};
