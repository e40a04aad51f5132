// Reads on the output that an earlier supervisor left: of runs, of hooks, of children.
import { existsSync, rmSync } from 'node:fs';
import type { ServiceId } from '../../../streams/domain/ids.ts';
import type { ServiceSpec } from '../../../streams/domain/declared/spec.ts';
import type { ChildOutput, Living } from '../../../streams/domain/ports.ts';
import type { Layout } from '../../../streams/wire/layout.ts';
import { heldBy, lastLinesOf } from '../adopted.ts';
import type { Channel } from './channel.ts';
import { channelOf, childFifos, LANES, RUN_STREAMS, type OwnName } from './left-behind.ts';
import { readOn, type LeftOutput } from './read-on.ts';
import type { ServiceLog } from '../service-log.ts';
import type { OnTrouble } from '../trouble.ts';

interface AdoptionPorts {
  readonly layout: Layout;
  readonly onTrouble: OnTrouble;
  /** Throws while too few descriptors are free. */
  readonly checkRoom: () => void;
  readonly logOf: (spec: ServiceSpec) => ServiceLog;
}

interface Left {
  readonly spec: ServiceSpec;
  readonly name: OwnName;
  readonly living: readonly Living[];
  /** Set on a retry: the service's declaration may have changed by then, and does not matter. */
  readonly channel?: Channel;
}

export class Adoption {
  readonly #ports: AdoptionPorts;
  readonly #missed = new Set<ServiceId>();

  constructor(ports: AdoptionPorts) {
    this.#ports = ports;
  }

  /** Services with output that could not be read on yet. */
  missed(): readonly ServiceId[] {
    return [...this.#missed];
  }

  adopt(spec: ServiceSpec, living: readonly Living[]): void {
    const { layout, logOf } = this.#ports;
    // First the output the dead supervisor had read, then what it had written: so the last lines are complete
    // and in order.
    const path = layout.log(spec.id);
    for (const lane of LANES)
      for (const stream of RUN_STREAMS) this.#readOn({ spec, name: { stream, lane }, living });
    this.#readOn({ spec, name: { stream: 'hook', lane: 0 }, living });
    for (const child of childFifos(layout, spec.id)) this.#readChild(spec, child);
    if (spec.logs.sink === 'none') return;
    for (const { process, lane } of living) {
      const { recent } = logOf(spec).run(lane);
      recent.clear();
      recent.note(lastLinesOf(process, path));
    }
  }

  /** The channel of a child. Its FIFO is removed when everything is read and no writer is left. */
  childOf(spec: ServiceSpec, child: ChildOutput): Channel {
    const fifo = this.#ports.layout.childFifo(spec.id, child);
    return this.#ports.logOf(spec).child(child, () => rmSync(fifo, { force: true }));
  }

  #readOn(left: Left): void {
    const { spec, name, living } = left;
    const { stream, lane } = name;
    const { layout, onTrouble, logOf } = this.#ports;
    const fifo = layout.fifo(spec.id, stream, lane);
    const found = existsSync(fifo)
      ? fifo
      : heldBy(
          living.map(({ process }) => process),
          fifo,
        );
    if (found === undefined) {
      if (spec.logs.sink === 'file' && stream !== 'hook' && living.some((one) => one.lane === lane))
        onTrouble(`${fifo} is missing: the ${stream} of ${spec.id} is not read until it is restarted`);
      return;
    }
    const channel = left.channel ?? channelOf(logOf(spec), name);
    const again = (): void => this.#readOn({ ...left, channel });
    readOn(channel, { fifo: found, ...this.#reading(spec, again) });
  }

  #readChild(spec: ServiceSpec, child: ChildOutput, channel = this.childOf(spec, child)): void {
    const fifo = this.#ports.layout.childFifo(spec.id, child);
    const again = (): void => this.#readChild(spec, child, channel);
    readOn(channel, { fifo, ...this.#reading(spec, again) });
  }

  #reading({ id }: ServiceSpec, again: () => void): Omit<LeftOutput, 'fifo'> {
    const { onTrouble, checkRoom } = this.#ports;
    return {
      ...{ id, onTrouble, checkRoom },
      missed: () => void this.#missed.add(id),
      again: () => {
        this.#missed.delete(id);
        again();
      },
    };
  }
}
