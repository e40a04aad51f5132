// What the manifest declares for a service, and what is known about its current run.
import type { PortDocument } from '../../../streams/wire/documents/basic-documents.ts';
import type { InspectedService } from '../../../streams/wire/documents/documents.ts';
import { fragmentOf } from '../model/page-route.ts';
import { cpuWords, exitWords, momentText, shownIdOf, sizeWords } from '../model/page-words.ts';
import { type NamedFact, FactList } from '../parts/fact-list.tsx';
import { TimeAgo } from '../parts/time-ago.tsx';

interface FactsProps {
  readonly service: InspectedService;
  readonly now: number;
}

const Links = ({ ids }: { readonly ids: readonly string[] }) => (
  <>
    {ids.map((id, index) => (
      <>
        {index === 0 ? '' : ', '}
        <a href={fragmentOf(id)}>{shownIdOf(id)}</a>
      </>
    ))}
  </>
);

const linksOf = (ids: readonly string[]) => (ids.length === 0 ? null : <Links ids={ids} />);

const portText = ({ protocol, address, port }: PortDocument): string => `${protocol} ${address}:${port}`;

const agoOf = (at: string | null, now: number) => (at === null ? null : <TimeAgo at={at} now={now} />);

const checkText = (check: InspectedService['health_check']): string | null =>
  check === null
    ? null
    : Object.entries(check)
        .map(([key, value]) => `${key} ${value}`)
        .join(', ');

const presentFacts = ({ service, now }: FactsProps): readonly NamedFact[] => [
  ['pid', service.pid],
  ['run', service.run === 0 ? null : service.run],
  ['started', agoOf(service.started_at, now)],
  ['ready', agoOf(service.ready_at, now)],
  ['health', service.health],
  ['restarts', `${service.restarts} of ${service.max_restarts}, ${service.restarts_total} in all`],
  ['last exit', service.last_exit === null ? null : exitWords(service.last_exit)],
  ['next run', service.next_run_at === null ? null : momentText(service.next_run_at)],
  ['CPU', service.cpu_percent === null ? null : cpuWords(service.cpu_percent)],
  ['memory', service.rss_bytes === null ? null : sizeWords(service.rss_bytes)],
  ['slot', service.slot],
  ['listens on', service.listening?.map(portText).join(', ')],
];

const declaredFacts = (service: InspectedService): readonly NamedFact[] => [
  [
    'command',
    <code>{typeof service.command === 'string' ? service.command : service.command.join(' ')}</code>,
  ],
  ['directory', <code>{service.working_dir}</code>],
  ['needs', linksOf(service.depends_on.map((need) => need.service))],
  ['needed by', linksOf(service.dependents)],
  ['health check', checkText(service.health_check)],
  ['log file', service.logs.file === null ? service.logs.sink : <code>{service.logs.file}</code>],
  ['environment', service.env_keys.join(', ')],
  ['hooks', service.hooks.join(', ')],
];

export const ServiceFacts = (props: FactsProps) => (
  <FactList facts={[...presentFacts(props), ...declaredFacts(props.service)]} />
);
