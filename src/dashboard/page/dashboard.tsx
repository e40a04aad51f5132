// The whole page: the sentence, the banner about the connection, and the view that the address names.
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { scan } from 'rxjs';
import type { DashboardLink } from './connection/dashboard-link.ts';
import { firstGlance, windowTitle } from './model/first-glance.ts';
import { EMPTY_PAGE, nextPage, type PageModel } from './model/page-model.ts';
import { routeOf } from './model/page-route.ts';
import { supervisorFacts } from '../../streams/views/words/supervisor-text.ts';
import { Banner, NoSession } from './banner.tsx';
import { ApplyChanges } from './actions/apply-changes.tsx';
import { HelpDialog } from './help-dialog.tsx';
import { ServiceView } from './service/service-view.tsx';
import { useKeys } from './use-keys.ts';
import { Overview } from './overview/overview.tsx';

/** Returns the model. Connects before the first paint, which is slow in a browser that has just started. */
const useModel = ({ events$ }: DashboardLink): PageModel => {
  const [model, setModel] = useState(EMPTY_PAGE);
  useLayoutEffect(() => {
    const subscription = events$.pipe(scan(nextPage, EMPTY_PAGE)).subscribe({
      next: setModel,
      // Only a bug can cause this error. The browser's console shows it.
      error: (thrown: unknown) => reportError(thrown),
    });
    return () => subscription.unsubscribe();
  }, []);
  return model;
};

const useFragment = (): string => {
  const [fragment, setFragment] = useState(location.hash);
  useEffect(() => {
    const read = (): void => setFragment(location.hash);
    addEventListener('hashchange', read);
    return () => removeEventListener('hashchange', read);
  }, []);
  return fragment;
};

const useTitle = ({ rows }: PageModel, service: string | undefined): void =>
  useEffect(() => {
    document.title = windowTitle([...rows.values()], service);
  }, [rows, service]);

const Sentence = ({ rows }: Pick<PageModel, 'rows'>) => {
  const { well, need } = useMemo(() => firstGlance([...rows.values()]), [rows]);
  return (
    <>
      {well}
      {well === '' || need === '' ? '' : ', '}
      {need === '' ? null : <strong class="need">{need}</strong>}
    </>
  );
};

type Opened = 'help' | 'apply' | undefined;

interface HeadProps {
  readonly model: PageModel;
  readonly onOpen: (opened: Opened) => void;
}

const MINUTE = 60_000;

/**
 * Returns `now`, rounded down to a whole number of minutes after `since`, so that the heading changes once a
 * minute. `now` is not rounded in the first minute after `since`, and if `since` is not known.
 */
const inMinutes = (since: string | null, now: number): number => {
  const age = now - Date.parse(since ?? '');
  return age >= MINUTE ? now - (age % MINUTE) : now;
};

/** Shows pid, version and age of the supervisor; nothing while no supervisor runs. */
const Supervisor = ({ model: { supervisor, now } }: Pick<HeadProps, 'model'>) =>
  supervisor?.running === true ? (
    <p class="quiet">Supervisor: {supervisorFacts(supervisor, inMinutes(supervisor.since, now))}</p>
  ) : null;

const Head = ({ model, onOpen }: HeadProps) => (
  <header class="page-head">
    <h1>
      <a href="#/">sup</a> <span class="quiet">{model.hello?.host}</span>
    </h1>
    <p class="glance" role="status">
      {model.connections === 0 ? 'Connecting…' : <Sentence rows={model.rows} />}
    </p>
    <Supervisor model={model} />
    <div class="buttons">
      {model.hello?.actions === true && (
        <button type="button" onClick={() => onOpen('apply')}>
          Apply…
        </button>
      )}
      <button type="button" aria-label="Keys" onClick={() => onOpen('help')}>
        ?
      </button>
    </div>
  </header>
);

export const Dashboard = ({ link }: { readonly link: DashboardLink }) => {
  const model = useModel(link);
  const { service, tab } = routeOf(useFragment());
  const [filter, setFilter] = useState('');
  const [opened, setOpened] = useState<Opened>();
  const lastService = useRef<string | undefined>(undefined);
  const close = (): void => setOpened(undefined);
  useKeys({
    isService: service !== undefined,
    onHelp: () => setOpened('help'),
    onClearFilter: () => setFilter(''),
  });
  useTitle(model, service);
  useEffect(() => {
    if (service !== undefined) lastService.current = service;
  }, [service]);
  if (model.link === 'refused') return <NoSession />;
  return (
    <>
      <Banner model={model} />
      <Head model={model} onOpen={setOpened} />
      <main>
        {service === undefined ? (
          <Overview
            link={link}
            model={model}
            filter={filter}
            onFilter={setFilter}
            focused={lastService.current}
          />
        ) : (
          <ServiceView link={link} model={model} service={service} tab={tab} />
        )}
      </main>
      {opened === 'help' && <HelpDialog onClose={close} />}
      {opened === 'apply' && <ApplyChanges link={link} onClose={close} />}
    </>
  );
};
