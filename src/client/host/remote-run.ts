// Runs a command line on another machine, and yields its output and its end.
import { ClientFailure } from '../client-failure.ts';
import { dialHost, type HostPlace, type SshLine, type SshOptions } from './ssh-line.ts';
import {
  type DialFrame,
  type DialInput,
  decodeFrame,
  inputMessages,
  type RunRequest,
} from './dial-frames.ts';

export interface RemoteRun {
  /**
   * Yields the output and the end of the command; `exit` or `missing` is the last. Throws if the connection
   * is lost.
   */
  readonly frames: () => AsyncGenerator<DialFrame>;
  readonly send: (input: DialInput) => void;
  readonly close: () => void;
}

async function* framesOn(line: SshLine): AsyncGenerator<DialFrame> {
  for (;;) {
    const frame = decodeFrame(await line.next());
    if (frame === undefined || frame.tag === 'alive') continue;
    if (frame.tag === 'refused') throw new ClientFailure(frame.error);
    yield frame;
    if (frame.tag === 'exit' || frame.tag === 'missing') return;
  }
}

interface RemoteOptions extends SshOptions {
  /** Names a command that changes something: if the connection is lost, its outcome is not known. */
  readonly changes?: string | undefined;
  /** Standard input of the command; without it the command has none. */
  readonly input?: Uint8Array | undefined;
}

/** Starts the command. Rejects with ERR0230 to ERR0236 if the machine cannot be asked. */
export const runOn = async (
  place: HostPlace,
  request: Omit<RunRequest, 'ask'>,
  { changes, input, ...options }: RemoteOptions,
): Promise<RemoteRun> => {
  const line = await dialHost(place.destination, options);
  const { dataDir } = place;
  if (changes !== undefined) line.during(changes);
  line.send({ ask: 'run', ...request, ...(dataDir !== undefined && { dataDir }) });
  if (input !== undefined) inputMessages(input).forEach(line.send);
  return { frames: () => framesOn(line), send: line.send, close: line.close };
};
