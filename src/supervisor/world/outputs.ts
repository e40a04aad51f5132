// Takes over the output of children that outlived the last supervisor, and what was pending of the others.
import type { FileCapture } from '../../sinks/logs/capture-ports.ts';
import type { Living } from '../../streams/domain/ports.ts';
import { runsOf } from '../../streams/domain/service/runs-of.ts';
import type { Service } from '../../streams/domain/service/service.ts';
import { servicesOf } from '../../streams/kernel/roster.ts';
import { messageOf } from '../../streams/domain/errors/thrown.ts';
import { shownId, type ServiceId } from '../../streams/domain/ids.ts';
import type { SupervisorState } from '../../streams/kernel/state.ts';

const livingOf = (service: Service): readonly Living[] =>
  runsOf(service).flatMap(({ actual, lane = 0 }) =>
    'process' in actual ? [{ process: actual.process, lane }] : [],
  );

/** True if a process of it may live. */
const mayPrint = ({ children, rollout }: Service, living: readonly Living[]): boolean =>
  living.length > 0 || children !== undefined || rollout !== undefined;

const adoptOne = (
  capture: Pick<FileCapture, 'adopt'>,
  { spec }: Service,
  { living, onTrouble }: { readonly living: readonly Living[] } & Pick<Adopting, 'onTrouble'>,
): void => {
  try {
    capture.adopt(spec, living);
  } catch (error) {
    onTrouble(
      `the output of ${shownId(spec.id)} is not read until it is restarted: it could not be taken over (${messageOf(error)})`,
    );
  }
};

interface Adopting {
  /** Services with output that the previous program read; if absent, any held FIFO may be in use. */
  readonly read?: readonly ServiceId[] | undefined;
  readonly onTrouble: (text: string) => void;
}

/** Continues to read outputs where that stopped. A failure for one service is a warning. */
export const adoptOutputs = (
  capture: Pick<FileCapture, 'adopt' | 'inHand' | 'settle' | 'wasKept'>,
  { roster }: Pick<SupervisorState, 'roster'>,
  { read, onTrouble }: Adopting,
): void => {
  const known = new Set([...capture.inHand(), ...(read ?? [])]);
  const anybody = read === undefined && capture.wasKept();
  for (const service of servicesOf(roster)) {
    const living = livingOf(service);
    if (anybody || mayPrint(service, living) || known.has(service.spec.id))
      adoptOne(capture, service, { living, onTrouble });
  }
  capture.settle();
};
