// The view of one service: its heading, its action buttons, and its tabs.
import { useLayoutEffect, useRef } from 'preact/hooks';
import { ServiceActions } from '../actions/service-actions.tsx';
import type { DashboardLink } from '../connection/dashboard-link.ts';
import { LogsTab } from '../logs/logs-tab.tsx';
import type { PageModel } from '../model/page-model.ts';
import { fragmentOf, routeOf, type Tab, TABS } from '../model/page-route.ts';
import { reasonText, shownIdOf } from '../model/page-words.ts';
import type { ServiceRow } from '../../page-messages.ts';
import { ErrorNote } from '../parts/error-note.tsx';
import { StateSign } from '../parts/state-sign.tsx';
import { AccountTab } from './account-tab.tsx';
import { ChartsTab } from './charts-tab.tsx';
import { ConfigurationTab } from './configuration-tab.tsx';
import { ProcessesTab } from './processes-tab.tsx';
import { useAccount } from './use-account.ts';

interface ServiceViewProps {
  readonly link: DashboardLink;
  readonly model: PageModel;
  readonly service: string;
  readonly tab: Tab;
}

const titleOf = (tab: Tab): string => `${tab.charAt(0).toUpperCase()}${tab.slice(1)}`;

const TAB_STEPS: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1 };

const Tabs = ({ service, tab }: { readonly service: string; readonly tab: Tab }) => {
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = TAB_STEPS[event.key];
    if (step === undefined) return;
    event.preventDefault();
    // The tab is taken from the URL: if keys are pressed quickly, the drawn tab is still the previous tab.
    const from = TABS.indexOf(routeOf(location.hash).tab);
    const next = TABS.at((from + step) % TABS.length) ?? tab;
    location.hash = fragmentOf(service, next);
    document.getElementById(`tab-${next}`)?.focus();
  };
  return (
    <div class="tabs" role="tablist" aria-label={`Views of ${shownIdOf(service)}`} onKeyDown={onKeyDown}>
      {TABS.map((one) => (
        <button
          type="button"
          role="tab"
          key={one}
          id={`tab-${one}`}
          aria-selected={one === tab}
          aria-controls="tab-panel"
          tabIndex={one === tab ? 0 : -1}
          onClick={() => (location.hash = fragmentOf(service, one))}
        >
          {titleOf(one)}
        </button>
      ))}
    </div>
  );
};

/** Returns a text that changes when the account of the service may have changed. */
const versionOf = (row: ServiceRow | undefined, connections: number): string =>
  [connections, row?.state, row?.health, row?.run, row?.rollout?.step, row?.restarts].join(' ');

const TabContent = ({ link, model, service, tab }: ServiceViewProps) => {
  const version = versionOf(model.rows.get(service), model.connections);
  const { account, error } = useAccount(link, { service, version });
  if (tab === 'logs') return <LogsTab link={link} service={service} connections={model.connections} />;
  if (tab === 'charts') return <ChartsTab link={link} service={service} version={version} />;
  if (account === undefined)
    return error === undefined ? <p class="note">Reading…</p> : <ErrorNote error={error} />;
  if (tab === 'processes') return <ProcessesTab service={account.inspect} />;
  if (tab === 'configuration') return <ConfigurationTab config={account.config} />;
  return <AccountTab account={account} now={model.now} />;
};

const Heading = ({ link, model, service }: Pick<ServiceViewProps, 'link' | 'model' | 'service'>) => {
  const heading = useRef<HTMLHeadingElement>(null);
  const row = model.rows.get(service);
  // Before the paint: later, it would take the focus from the element that the user has reached by then.
  useLayoutEffect(() => heading.current?.focus(), [service]);
  return (
    <div class="service-head">
      <a href="#/">All services</a>
      <h2 ref={heading} tabIndex={-1}>
        {shownIdOf(service)}
      </h2>
      {row === undefined ? null : (
        <>
          <StateSign state={row.state} />
          {row.health === 'unknown' ? null : <span class={`health-${row.health}`}>{row.health}</span>}
          <span class="quiet service-reason">{reasonText(row)}</span>
          {model.hello?.actions === true && <ServiceActions link={link} row={row} rows={model.rows} />}
        </>
      )}
    </div>
  );
};

export const ServiceView = (props: ServiceViewProps) => (
  <>
    <Heading {...props} />
    <Tabs service={props.service} tab={props.tab} />
    <div id="tab-panel" role="tabpanel" aria-labelledby={`tab-${props.tab}`} key={props.service}>
      <TabContent {...props} />
    </div>
  </>
);
