// Checks the `Host` of a request for metrics (`docs/metrics.md`, "For monitoring systems"). With DNS
// rebinding a web page points its own name at this machine, and the browser sends that name. So only own
// names are answered.
import { isIP } from 'node:net';
import { hostname } from 'node:os';

const HOST = /^(?:\[([^\]]*)\]|([^:]*))(?::\d*)?$/;

const nameIn = (header: string): string => {
  const [, bracketed, bare = ''] = HOST.exec(header) ?? [];
  return (bracketed ?? bare).toLowerCase().replace(/\.$/, '');
};

/**
 * True for any address, since the attack needs a name, and for a missing header, since browsers always send
 * it.
 */
export const isAllowedHost = (header: string | undefined, declared: readonly string[]): boolean => {
  if (header === undefined) return true;
  const name = nameIn(header);
  return isIP(name) !== 0 || ['localhost', hostname(), ...declared].some((own) => own.toLowerCase() === name);
};
