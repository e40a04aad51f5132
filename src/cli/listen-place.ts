// An address to listen at, as it is written: `9464`, `127.0.0.1:9464`, `[::1]:9464`. Without a host it is this machine only.
import { isIP } from 'node:net';
import type { ListenPlace } from '../sinks/metrics/listen.ts';

const LOOPBACK = '127.0.0.1';
const WRITTEN = /^(?:(?:\[([^\]]+)\]|([^:[\]]*)):)?(\d{1,5})$/;
const HIGHEST_PORT = 65_535;

/** `undefined`: it is none. Names are not looked up, but for `localhost`. */
export const listenPlace = (written: string): ListenPlace | undefined => {
  const [found, bracketed, bare = '', digits = ''] = WRITTEN.exec(written) ?? [];
  const port = Number(digits);
  if (found === undefined || port < 1 || port > HIGHEST_PORT) return undefined;
  if (bracketed !== undefined) return isIP(bracketed) === 6 ? { host: bracketed, port } : undefined;
  if (bare === '' || bare === 'localhost') return { host: LOOPBACK, port };
  return isIP(bare) === 4 ? { host: bare, port } : undefined;
};
