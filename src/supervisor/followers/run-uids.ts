// The uids of the processes of runs. With `--sys`, these users may use the service socket
// (`docs/security.md`, "The service socket").
import type { ServiceId } from '../../streams/domain/ids.ts';
import { runsOf } from '../../streams/domain/service/runs-of.ts';
import type { Service } from '../../streams/domain/service/service.ts';

const uidsIn = (service: Service): readonly number[] =>
  runsOf(service).flatMap(({ actual }) =>
    'process' in actual && actual.process.uid !== undefined ? [actual.process.uid] : [],
  );

export class RunUids {
  readonly #uids = new Map<ServiceId, readonly number[]>();
  /** The number of runs of each uid. */
  readonly #runs = new Map<number, number>();

  has(uid: number): boolean {
    return this.#runs.has(uid);
  }

  /** Records a change of a service. `service` is absent if the service was removed. */
  follow(id: ServiceId, service: Service | undefined): void {
    const uids = service === undefined ? [] : uidsIn(service);
    uids.forEach((uid) => this.#count(uid, 1));
    this.#uids.get(id)?.forEach((uid) => this.#count(uid, -1));
    if (uids.length === 0) this.#uids.delete(id);
    else this.#uids.set(id, uids);
  }

  #count(uid: number, by: 1 | -1): void {
    const runs = (this.#runs.get(uid) ?? 0) + by;
    if (runs === 0) this.#runs.delete(uid);
    else this.#runs.set(uid, runs);
  }
}
