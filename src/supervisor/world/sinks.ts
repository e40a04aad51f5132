// Assigns a sink to each kind of effect. Each is guarded: an error in one ends no other.
import type { Observable } from 'rxjs';
import { hookSink } from '../../sinks/process/commands/hook.ts';
import { signalSink } from '../../sinks/process/kill-tree.ts';
import { spawnSink, type SpawnPorts } from '../../sinks/process/spawn-run.ts';
import { slotWriter, type SlotFiles } from '../../sinks/store/slot-writer.ts';
import type { Effect } from '../../streams/domain/effect.ts';
import type { Census, CommandRunner, Sink } from '../../streams/domain/ports.ts';
import { ms } from '../../streams/domain/time.ts';
import type { Sinks } from '../../streams/kernel/loop.ts';
import { guarded } from '../../streams/operators/guarded.ts';

interface SinkPorts extends SpawnPorts {
  readonly census: Census;
  readonly runner: CommandRunner;
  /** Emits with the first step. */
  readonly begun$?: Observable<unknown>;
  readonly replies: Sink<'reply'>;
  readonly notes: Sink<'note'>;
  /** Slots that are being written to their files. */
  readonly slots?: SlotFiles;
  /** Receives what cannot be kept. */
  readonly onTrouble: (text: string) => void;
  readonly onError: (name: string, error: unknown) => void;
}

const REOPEN_AFTER = ms(100);

/** Returns all sinks of a supervisor. If one fails, it is opened again, and `onError` gets the error. */
export const sinksOf = (ports: SinkPorts): Sinks => {
  const fenced =
    <T extends Effect['type']>(name: string, sink: Sink<T>): Sink<T> =>
    (effect$) =>
      sink(effect$).pipe(guarded(name, { onError: ports.onError, pause: REOPEN_AFTER }));
  return {
    notes: fenced('note', ports.notes),
    spawns: fenced('spawn', spawnSink(ports)),
    signals: fenced('signal', signalSink(ports)),
    hooks: fenced('run-hook', hookSink(ports)),
    slots: fenced('keep-slot', slotWriter(ports)),
    replies: fenced('reply', ports.replies),
  };
};
