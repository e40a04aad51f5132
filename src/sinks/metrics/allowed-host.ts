// Which `Host` a request for measurements may have. A web page that lets its own name point at this machine (DNS rebinding)
// makes a browser send that name, so only names that are ours are answered (`docs/metrics.md`, "For monitoring systems").
import { isIP } from 'node:net';
import { hostname } from 'node:os';

const HOST = /^(?:\[([^\]]*)\]|([^:]*))(?::\d*)?$/;

const nameIn = (header: string): string => {
  const [, bracketed, bare = ''] = HOST.exec(header) ?? [];
  return (bracketed ?? bare).toLowerCase().replace(/\.$/, '');
};

/** Any address is allowed: a name is what the attack needs. A request without the header does not come from a browser. */
export const isAllowedHost = (header: string | undefined, declared: readonly string[]): boolean => {
  if (header === undefined) return true;
  const name = nameIn(header);
  return isIP(name) !== 0 || ['localhost', hostname(), ...declared].some((own) => own.toLowerCase() === name);
};
