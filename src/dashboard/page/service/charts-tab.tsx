// Charts of a service's processor time and memory over a chosen time.
import { useMemo, useState } from 'preact/hooks';
import type { SamplesDocument } from '../../../streams/wire/documents/documents.ts';
import type { DashboardLink } from '../connection/dashboard-link.ts';
import { chartData } from '../model/chart-data.ts';
import { cpuWords, sizeWords } from '../model/page-words.ts';
import { Chart } from './chart.tsx';
import { useAccount } from './use-account.ts';

const WINDOWS = [
  ['10 min', '10m'],
  ['1 h', '1h'],
  ['6 h', '6h'],
  ['1 d', '1d'],
] as const;

interface ChartsTabProps {
  readonly link: DashboardLink;
  readonly service: string;
  readonly version: string;
}

/**
 * The allowed label distances of the memory axis: powers of two, so that the labels are whole numbers of MiB.
 */
const SIZES = Array.from({ length: 50 }, (_, power) => 2 ** power);

const Charts = ({ samples }: { readonly samples: SamplesDocument }) => {
  const { points, since, until } = samples;
  const cpu = useMemo(() => chartData(points, (point) => point.cpu_percent), [points]);
  const memory = useMemo(() => chartData(points, (point) => point.rss_bytes), [points]);
  const range = { from: Date.parse(since) / 1_000, to: Date.parse(until) / 1_000 };
  return (
    <>
      <Chart title="CPU, percent of a core" data={cpu} range={range} words={cpuWords} />
      <Chart title="Memory" data={memory} range={range} words={sizeWords} steps={SIZES} />
    </>
  );
};

export const ChartsTab = ({ link, service, version }: ChartsTabProps) => {
  const [window, setWindow] = useState<string>('10m');
  const { account } = useAccount(link, { service, window, version });
  const samples = account?.inspect.samples ?? null;
  return (
    <section class="panel" aria-label="Charts">
      <header class="panel-head">
        <div class="buttons" role="group" aria-label="Shown time">
          {WINDOWS.map(([text, length]) => (
            <button
              type="button"
              key={length}
              aria-pressed={window === length}
              onClick={() => setWindow(length)}
            >
              {text}
            </button>
          ))}
        </div>
      </header>
      <div class="panel-body">
        {samples === null || samples.points.length === 0 ? (
          <p class="note">
            {account === undefined ? 'Reading samples…' : 'There are no samples in this time.'}
          </p>
        ) : (
          <Charts samples={samples} />
        )}
      </div>
    </section>
  );
};
