// One attempt to reach a supervisor at its socket.
import { connect, type Client, type ConnectOptions } from './client.ts';
import { ClientFailure } from './client-failure.ts';

interface Dialling extends Pick<ConnectOptions, 'anyProtocol'> {
  readonly timeout?: number | undefined;
}

/** Returns a client, or `undefined` without a supervisor (ERR0206). Throws any other failure. */
export const dial = async (
  dataDir: string,
  { timeout, ...whom }: Dialling = {},
): Promise<Client | undefined> => {
  try {
    return await connect(dataDir, { ...whom, ...(timeout !== undefined && { timeout }) });
  } catch (thrown) {
    if (thrown instanceof ClientFailure && thrown.document.code === 'ERR0206') return undefined;
    throw thrown;
  }
};
