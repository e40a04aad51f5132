// Shows the plan of `sup apply`, and applies exactly that plan after a confirmation.
import { useEffect, useState } from 'preact/hooks';
import type { ErrorDocument } from '../../../streams/wire/documents/documents.ts';
import type { ChangeDocument, KeyDocument } from '../../../streams/wire/documents/command-documents.ts';
import type { DashboardLink } from '../connection/dashboard-link.ts';
import { changeSummary } from '../model/outcome-text.ts';
import { shownIdOf } from '../model/page-words.ts';
import type { PlanAnswer } from '../../page-messages.ts';
import { Dialog } from '../parts/dialog.tsx';
import { ErrorNote } from '../parts/error-note.tsx';
import { ConfirmAction } from './confirm-action.tsx';

interface ApplyProps {
  readonly link: DashboardLink;
  readonly onClose: () => void;
}

const SIGNS: Readonly<Record<ChangeDocument['action'], string>> = { add: '+', change: '~', remove: '-' };

const keyText = ({ key, from, to }: KeyDocument): string => {
  if (from === null) return `${key}: ${to ?? ''} (new)`;
  return to === null ? `${key}: ${from} (gone)` : `${key}: ${from} → ${to}`;
};

const Change = ({ change }: { readonly change: ChangeDocument }) => (
  <li>
    <strong>
      {SIGNS[change.action]} {shownIdOf(change.service)}
    </strong>{' '}
    {changeSummary(change)}
    <ul>
      {change.keys.map((key) => (
        <li key={key.key}>
          <code>{keyText(key)}</code>
        </li>
      ))}
    </ul>
  </li>
);

const Plan = ({ planned: { plan } }: { readonly planned: PlanAnswer }) => (
  <>
    <ul class="plan">
      {plan.changes.map((change) => (
        <Change key={change.service} change={change} />
      ))}
      {plan.tables.map((key) => (
        <li key={key.key}>
          <code>{keyText(key)}</code>
        </li>
      ))}
    </ul>
    {plan.warnings.map((warning) => (
      <p key={warning}>{warning}</p>
    ))}
  </>
);

type Known = { readonly planned: PlanAnswer } | { readonly error: ErrorDocument } | undefined;

const usePlan = (link: DashboardLink): Known => {
  const [known, setKnown] = useState<Known>();
  useEffect(() => {
    const subscription = link.ask({ ask: 'plan' }).subscribe({
      next: (answer) => {
        if (answer.to === 'plan') setKnown({ planned: answer.planned });
        if (answer.to === 'failed') setKnown({ error: answer.error });
      },
      error: (thrown: unknown) => reportError(thrown),
    });
    return () => subscription.unsubscribe();
  }, []);
  return known;
};

const isEmpty = ({ plan: { changes, tables } }: PlanAnswer): boolean => changes.length + tables.length === 0;

const Unplanned = ({ known }: { readonly known: Known }) => {
  if (known === undefined) return <p>Reading the manifests…</p>;
  if ('error' in known) return <ErrorNote error={known.error} />;
  return <p>No changes: the services are as the manifests say.</p>;
};

export const ApplyChanges = ({ link, onClose }: ApplyProps) => {
  const known = usePlan(link);
  if (known === undefined || 'error' in known || isEmpty(known.planned))
    return (
      <Dialog title="Apply" onClose={onClose}>
        <Unplanned known={known} />
        <div class="dialog-buttons">
          <button type="button" class="button" onClick={onClose}>
            Close
          </button>
        </div>
      </Dialog>
    );
  const { planned } = known;
  return (
    <ConfirmAction
      key="plan"
      link={link}
      title="Apply these changes?"
      verb="Apply"
      action={{ what: 'apply', plan: planned.hash }}
      onClose={onClose}
    >
      <Plan planned={planned} />
    </ConfirmAction>
  );
};
