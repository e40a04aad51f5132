// The view of all services: the sentence at the top, the table, the timeline and the graph.
import { useEffect, useMemo, useState } from 'preact/hooks';
import { found } from '../model/fuzzy-filter.ts';
import type { PageModel } from '../model/page-model.ts';
import type { DashboardLink } from '../connection/dashboard-link.ts';
import { Timeline } from '../timeline/timeline.tsx';
import { DependencyGraph } from './dependency-graph.tsx';
import { ServiceTable } from './service-table.tsx';

interface OverviewProps {
  readonly link: DashboardLink;
  readonly model: PageModel;
  readonly filter: string;
  readonly onFilter: (filter: string) => void;
  readonly focused: string | undefined;
}

const NoServices = () => (
  <div class="empty">
    <h2>No services are registered</h2>
    <p>
      Write a <code>sup.yaml</code>, then start its services in a terminal. They appear here.
    </p>
    <pre>sup init{'\n'}sup start -c sup.yaml</pre>
  </div>
);

const Filter = ({ filter, onFilter }: Pick<OverviewProps, 'filter' | 'onFilter'>) => (
  <input
    id="filter"
    class="filter"
    type="search"
    aria-label="Filter services"
    placeholder="Filter ( / )"
    autocomplete="off"
    spellcheck={false}
    value={filter}
    onInput={({ currentTarget }) => onFilter(currentTarget.value)}
  />
);

/**
 * Returns false for the first paint, which has only the table. The panels below the table are drawn right
 * after.
 */
const useIsPainted = (): boolean => {
  const [isPainted, setIsPainted] = useState(false);
  useEffect(() => {
    const frame = requestAnimationFrame(() => setTimeout(() => setIsPainted(true)));
    return () => cancelAnimationFrame(frame);
  }, []);
  return isPainted;
};

export const Overview = ({ link, model, filter, onFilter, focused }: OverviewProps) => {
  const { rows } = model;
  const shown = useMemo(() => found(filter, [...rows.values()]), [rows, filter]);
  const isPainted = useIsPainted();
  if (rows.size === 0) return model.supervisor === undefined ? null : <NoServices />;
  return (
    <>
      <section class="panel" aria-labelledby="services-heading">
        <header class="panel-head">
          <h2 id="services-heading">Services</h2>
          <Filter filter={filter} onFilter={onFilter} />
          <span class="quiet" aria-live="polite">
            {filter === '' ? '' : `${shown.length} of ${rows.size}`}
          </span>
        </header>
        <ServiceTable model={model} rows={shown} focused={focused} />
      </section>
      {isPainted && <Timeline link={link} model={model} rows={shown} />}
      {isPainted && (
        <section class="panel" aria-labelledby="graph-heading">
          <header class="panel-head">
            <h2 id="graph-heading">Dependencies</h2>
          </header>
          <DependencyGraph edges={model.edges} rows={shown} />
        </section>
      )}
    </>
  );
};
