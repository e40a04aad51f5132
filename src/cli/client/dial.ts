// One look for a supervisor at its socket.
import { connect, type Client, type ConnectOptions } from './client.ts';
import { ClientFailure } from './client-failure.ts';

interface Dialling extends Pick<ConnectOptions, 'anyProtocol'> {
  readonly timeout?: number | undefined;
}

/** `undefined`: nobody is there (ERR0206). Any other failure is thrown. */
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
