// Parses an address to listen at: `9464`, `127.0.0.1:9464`, `[::1]:9464`. Without a host it is loopback.
import { isIP } from 'node:net';
import type { ListenPlace } from './listen.ts';

const LOOPBACK = '127.0.0.1';
const WRITTEN = /^(?:(?:\[([^\]]+)\]|([^:[\]]*)):)?(\d{1,5})$/;
const HIGHEST_PORT = 65_535;

const hostOf = (bracketed: string | undefined, bare: string): string | undefined => {
  if (bracketed !== undefined) return isIP(bracketed) === 6 ? bracketed : undefined;
  if (bare === '' || bare === 'localhost') return LOOPBACK;
  return isIP(bare) === 4 ? bare : undefined;
};

/** The parsed address; `undefined` if it is invalid. No name but `localhost` is resolved. */
export const listenPlace = (written: string): ListenPlace | undefined => {
  const found = WRITTEN.exec(written);
  if (found === null) return undefined;
  const host = hostOf(found[1], found[2] ?? '');
  const port = Number(found[3]);
  return host === undefined || port < 1 || port > HIGHEST_PORT ? undefined : { host, port };
};
