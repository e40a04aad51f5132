// Adopts the runs that outlived the previous supervisor, in three steps:
// - Duplicates their listening sockets, so that no new service takes the addresses.
// - Continues to read their output.
// - Stores output that the previous supervisor had read but not stored, for services that were not adopted.
import { catchError, firstValueFrom, of } from 'rxjs';
import type { FileCapture } from '../../sinks/logs/capture-ports.ts';
import type { HeldSockets } from '../../sinks/process/held-sockets.ts';
import { processScanner } from '../../sources/process/scan-members.ts';
import type { ServiceSpec } from '../../streams/domain/declared/spec.ts';
import { messageOf } from '../../streams/domain/errors/thrown.ts';
import type { Event, Found } from '../../streams/domain/event.ts';
import { type ServiceId, shownId } from '../../streams/domain/ids.ts';
import type { Living } from '../../streams/domain/ports.ts';
import { runsOf } from '../../streams/domain/service/runs-of.ts';
import type { Service } from '../../streams/domain/service/service.ts';
import { servicesOf } from '../../streams/kernel/service-table.ts';
import type { SupervisorState } from '../../streams/kernel/state.ts';

type Booted = Extract<Event, { type: 'booted' }>;

interface Ports {
  readonly dataDir: string;
  readonly sockets: Pick<HeldSockets, 'adopt' | 'lacks'>;
}

const listeners = ({ restored, found }: Booted): readonly { spec: ServiceSpec; run: Found }[] =>
  restored
    .flatMap(({ spec, rollout }) => (rollout === undefined ? [spec] : [spec, rollout.other.spec]))
    .filter(({ sockets = [] }) => sockets.length > 0)
    .flatMap((spec) => found.filter(({ service }) => service === spec.id).map((run) => ({ spec, run })));

/**
 * Duplicates the listening sockets of each run. The leader has them, or another process to which it passed
 * them.
 */
export const adoptSockets = async ({ dataDir, sockets }: Ports, first: Booted): Promise<void> => {
  const runs = listeners(first);
  for (const { spec, run } of runs) sockets.adopt(spec, run.process);
  const scanner = processScanner({ dataDir });
  for (const { spec, run } of runs) {
    if (!sockets.lacks(spec)) continue;
    const member$ = scanner.membersOf(run.service, run.run, run.process).pipe(catchError(() => of([])));
    const members = await firstValueFrom(member$, { defaultValue: [] });
    for (const member of members) sockets.adopt(spec, member);
  }
};

const livingOf = (service: Service): readonly Living[] =>
  runsOf(service).flatMap(({ actual, lane: fifoPair = 0 }) =>
    'process' in actual ? [{ process: actual.process, fifoPair }] : [],
  );

/** True if a process of the service may be alive and print. */
const mayPrint = ({ children, rollout }: Service, living: readonly Living[]): boolean =>
  living.length > 0 || children !== undefined || rollout !== undefined;

const adoptOutput = (
  capture: Pick<FileCapture, 'adopt'>,
  { spec }: Service,
  { living, logError }: { readonly living: readonly Living[] } & Pick<Adopting, 'logError'>,
): void => {
  try {
    capture.adopt(spec, living);
  } catch (error) {
    logError(
      `the output of ${shownId(spec.id)} is not read until it is restarted: it could not be taken over (${messageOf(error)})`,
    );
  }
};

interface Adopting {
  /**
   * The services with output that the previous program was reading. Absent if these are not known: then any
   * service may have unread output.
   */
  readonly read?: readonly ServiceId[] | undefined;
  /** The descriptors of FIFOs from which the previous program was reading. */
  readonly ends?: readonly number[];
  readonly logError: (text: string) => void;
}

/** Continues to read the output of services. A failure for one service is only a warning. */
export const adoptOutputs = (
  capture: Pick<FileCapture, 'adopt' | 'inHand' | 'inherit' | 'finishAdoption' | 'wasKept'>,
  { serviceTable }: Pick<SupervisorState, 'serviceTable'>,
  { read, ends = [], logError }: Adopting,
): void => {
  capture.inherit(ends);
  const known = new Set([...capture.inHand(), ...(read ?? [])]);
  const anybody = read === undefined && capture.wasKept();
  for (const service of servicesOf(serviceTable)) {
    const living = livingOf(service);
    if (anybody || mayPrint(service, living) || known.has(service.spec.id))
      adoptOutput(capture, service, { living, logError });
  }
  capture.finishAdoption();
};
