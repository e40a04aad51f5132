// What a slot of the buffer is called: whose output is in it.
import { projectId, serviceId, type ServiceId } from '../../../streams/domain/ids.ts';
import type { Lane } from '../../../streams/domain/service/process.ts';
import type { OutputStream } from '../../../streams/wire/log-line.ts';

interface SlotOwner {
  readonly id: ServiceId;
  readonly stream: OutputStream;
  readonly lane: Lane;
}

export const slotName = ({ id, stream, lane }: SlotOwner): string => `${stream} ${lane} ${id}`;

/** A name was made of its owner by `slotName`. */
export const slotOwner = (name: string): SlotOwner => {
  const [stream, lane, ...rest] = name.split(' ');
  const [project = '', service = ''] = rest.join(' ').split('/');
  return {
    id: serviceId(projectId(project), service),
    stream: stream === 'stderr' || stream === 'hook' ? stream : 'stdout',
    lane: lane === '1' ? 1 : 0,
  };
};
