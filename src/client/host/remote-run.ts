// Runs a command line on another machine, and yields its output and its exit status.
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
  /** Yields the command's output; the last frame is `exit` or `missing`. Throws if the connection is lost. */
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
  /**
   * The name of the command, if the command changes something; otherwise absent. If it is present and the
   * connection is lost, the error says that the outcome of the command is not known.
   */
  readonly changes?: string | undefined;
  /** Standard input of the command; absent: no standard input. */
  readonly input?: Uint8Array | undefined;
}

/** Starts a command line on another machine. Rejects with ERR0230 to ERR0236 if the connection fails. */
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
