// The names of slots (the buffers of unwritten output, `buffer/output-slots.ts`) and of children's FIFOs. By
// the names, the next supervisor finds out to which stream the output belongs.
import { namesIn } from '../../../os/files/directories.ts';
import { projectId, runId, serviceId, type ProjectId, type ServiceId } from '../../../streams/domain/ids.ts';
import { grouped } from '../../../streams/domain/grouped.ts';
import type { ChildOutput } from '../../../streams/domain/ports.ts';
import type { FifoPair } from '../../../streams/domain/service/process.ts';
import { childOfFifo, type Layout } from '../../../streams/wire/layout.ts';
import { childStream } from '../../../streams/wire/log-line.ts';
import type { ServiceLog, StreamName } from '../service-log.ts';
import type { OutputChannel } from './output-channel.ts';

export const RUN_STREAMS = ['stdout', 'stderr'] as const;
const STREAMS = [...RUN_STREAMS, 'hook'] as const;
export const FIFO_PAIRS: readonly FifoPair[] = [0, 1];
type OwnStream = (typeof STREAMS)[number];
const CHILD = childStream('');

/** Names the standard output or error of a run, or the output of hooks. Children have other names. */
export interface OwnName {
  readonly stream: OwnStream;
  readonly fifoPair: FifoPair;
}

/** Returns the name of a slot. `place`: the number of the FIFO pair, or the number of a child's run. */
export const slotName = (id: ServiceId, { stream, place }: StreamName): string => `${stream} ${place} ${id}`;
export const ownerOf = (name: string): ServiceId => {
  const [project = '', service = ''] = name.split(' ').slice(2).join(' ').split('/');
  return serviceId(projectId(project), service);
};
export const channelOf = (log: ServiceLog, { stream, fifoPair }: OwnName): OutputChannel =>
  stream === 'hook' ? log.hook : log.run(fifoPair)[stream];

/** Returns all paths at which a service's own output may be read, whether they are used or not. */
export const ownFifos = (layout: Layout, id: ServiceId): readonly string[] => [
  ...RUN_STREAMS.flatMap((stream) => FIFO_PAIRS.map((fifoPair) => layout.fifo(id, stream, fifoPair))),
  layout.fifo(id, 'hook'),
];

/** Returns the channel for the unwritten output of a dead supervisor. `name`: the name of its slot. */
export const channelNamed = (log: ServiceLog, name: string): OutputChannel => {
  const [stream = '', place = ''] = name.split(' ');
  if (stream.startsWith(CHILD)) {
    const child = { name: stream.slice(CHILD.length), run: runId(Number(place)) };
    return log.child(child, () => undefined);
  }
  const own = STREAMS.find((one) => one === stream) ?? 'stdout';
  return channelOf(log, { stream: own, fifoPair: place === '1' ? 1 : 0 });
};

/** Returns, for each service of the project, the children that have FIFOs. */
export const childFifos = (
  layout: Layout,
  project: ProjectId,
): ReadonlyMap<ServiceId, readonly ChildOutput[]> => {
  const found = namesIn(layout.runDir(project)).flatMap((file) => childOfFifo(file) ?? []);
  return new Map(
    [...grouped(found, ({ service }) => service)].map(([service, all]) => [
      serviceId(project, service),
      all.map(({ child }) => child),
    ]),
  );
};
