// The buttons that change a service.
import { useState } from 'preact/hooks';
import { MOST_REPLICAS } from '../../../streams/domain/declared/manifest.ts';
import { declaredName } from '../../../streams/domain/ids.ts';
import type { DashboardLink } from '../connection/dashboard-link.ts';
import { shownIdOf } from '../model/page-words.ts';
import type { ServiceRow } from '../../page-messages.ts';
import { ConfirmAction } from './confirm-action.tsx';

type Verb = 'start' | 'stop' | 'restart' | 'scale';

interface ServiceActionsProps {
  readonly link: DashboardLink;
  readonly row: ServiceRow;
  readonly rows: ReadonlyMap<string, ServiceRow>;
}

const TITLES: Readonly<Record<Verb, string>> = {
  start: 'Start',
  stop: 'Stop',
  restart: 'Restart',
  scale: 'Scale',
};

const MEANINGS: Readonly<Record<Exclude<Verb, 'scale'>, string>> = {
  start: 'It is started with what it needs.',
  stop: 'It is stopped, and what needs it too.',
  restart: 'It is stopped and started again.',
};

const verbsOf = ({ name, wanted }: ServiceRow): readonly Verb[] => [
  wanted === 'up' ? 'stop' : 'start',
  'restart',
  ...(name.includes('@') ? (['scale'] as const) : []),
];

const ScaleDialog = ({
  link,
  row,
  rows,
  onClose,
}: ServiceActionsProps & { readonly onClose: () => void }) => {
  const group = declaredName(row.id);
  const present = [...rows.keys()].filter((id) => declaredName(id) === group).length;
  const [count, setCount] = useState(present);
  return (
    <ConfirmAction
      link={link}
      title={`Scale ${shownIdOf(group)}?`}
      verb="Scale"
      action={{ what: 'scale', counts: { [group]: count } }}
      onClose={onClose}
    >
      <p>
        <label>
          Number of instances{' '}
          <input
            type="number"
            min={1}
            max={MOST_REPLICAS}
            value={count}
            onInput={({ currentTarget }) => setCount(currentTarget.valueAsNumber || 1)}
          />
        </label>{' '}
        <span class="quiet">now {present}</span>
      </p>
    </ConfirmAction>
  );
};

export const ServiceActions = (props: ServiceActionsProps) => {
  const { link, row } = props;
  const [verb, setVerb] = useState<Verb>();
  const onClose = (): void => setVerb(undefined);
  return (
    <div class="buttons">
      {verbsOf(row).map((one) => (
        <button type="button" key={one} onClick={() => setVerb(one)}>
          {TITLES[one]}
        </button>
      ))}
      {verb === 'scale' && <ScaleDialog {...props} onClose={onClose} />}
      {verb !== undefined && verb !== 'scale' && (
        <ConfirmAction
          link={link}
          title={`${TITLES[verb]} ${shownIdOf(row.id)}?`}
          verb={TITLES[verb]}
          action={{ what: verb, services: [row.id] }}
          onClose={onClose}
        >
          <p>{MEANINGS[verb]}</p>
        </ConfirmAction>
      )}
    </div>
  );
};
