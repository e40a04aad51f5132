// `sup dashboard`: serves the page that shows all services, until Ctrl-C (`docs/dashboard.md`).
import { once } from 'node:events';
import { isIP } from 'node:net';
import { hostname } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import type { Sup } from '../../../client/api/sup-interface.ts';
import { connect } from '../../../client/api/connect.ts';
import {
  USUAL_PORT,
  type DashboardPlace,
  type TlsFiles,
} from '../../../dashboard/http/dashboard-listener.ts';
import { isLoopbackAddress } from '../../../dashboard/http/own-origin.ts';
import { serveDashboard, type Dashboard } from '../../../dashboard/serve-dashboard.ts';
import { EXIT } from '../../../streams/wire/command-exit-status.ts';
import type { DashboardDocument } from '../../../streams/wire/documents/command-documents.ts';
import type { Context, Handler } from '../../context.ts';
import { type Parsed, valueOf } from '../../grammar/parsed-line.ts';
import { exclusive, usageError } from '../../grammar/usage-error.ts';
import { printDocument, printLines } from '../../print.ts';
import { untilEnough } from '../../until-interrupted.ts';

const HIGHEST_PORT = 65_535;

const portIn = (parsed: Parsed): number | undefined => {
  const written = valueOf(parsed, 'port');
  if (written === undefined) return undefined;
  const port = /^\d{1,5}$/.test(written) ? Number(written) : NaN;
  if (port <= HIGHEST_PORT) return port;
  throw usageError(`--port: "${written}" is no port`, `sup dashboard --port ${USUAL_PORT}`);
};

const addressIn = (parsed: Parsed): string => {
  const address = valueOf(parsed, 'address') ?? '127.0.0.1';
  if (isIP(address) !== 0) return address;
  throw usageError(`--address: "${address}" is no IP address`, 'sup dashboard --address 127.0.0.1');
};

const WITH_TLS = 'sup dashboard --address <address> --tls-cert <file> --tls-key <file>';

/** Returns the certificate and key for TLS. Throws a usage error if only one of them is given. */
const tlsIn = (parsed: Parsed, { world }: Context): TlsFiles | undefined => {
  const [cert, key] = [valueOf(parsed, 'tls-cert'), valueOf(parsed, 'tls-key')];
  if (cert === undefined && key === undefined) return undefined;
  if (cert === undefined || key === undefined)
    throw usageError('--tls-cert and --tls-key belong together', WITH_TLS);
  return { cert: resolve(world.directory, cert), key: resolve(world.directory, key) };
};

const OF_PORT = ['port', 'address', 'tls-cert', 'tls-key'] as const;

const socketIn = (parsed: Parsed, { world }: Context): string | undefined => {
  const path = valueOf(parsed, 'unix');
  const other = OF_PORT.find((option) => valueOf(parsed, option) !== undefined);
  if (path !== undefined && other !== undefined)
    throw exclusive(`--unix and --${other} exclude each other`, 'sup dashboard --unix <path>');
  return path === undefined ? undefined : resolve(world.directory, path);
};

/** Returns where to listen. Throws a usage error if other machines can reach the address without TLS. */
const placeIn = (parsed: Parsed, context: Context): DashboardPlace => {
  const path = socketIn(parsed, context);
  if (path !== undefined) return { path };
  const [port, address, tls] = [portIn(parsed), addressIn(parsed), tlsIn(parsed, context)];
  if (tls === undefined && !isLoopbackAddress(address))
    throw usageError(`--address ${address} needs TLS: other machines reach it`, WITH_TLS);
  return { address, port: port ?? USUAL_PORT, isFixed: port !== undefined, ...(tls && { tls }) };
};

const print = (
  context: Context,
  { url }: Dashboard,
  document: Omit<DashboardDocument, 'schema' | 'url'>,
): void => {
  if (context.json) return printDocument(context, { schema: 'sup.dashboard/1', url, ...document });
  const { socket } = document;
  printLines(context, [socket === null ? url : `${url} by ssh -L ${USUAL_PORT}:${socket}`]);
};

/** Returns the supervisor to show, here or on the machine of `--host`, and the name of that machine. */
const shown = (
  { values }: Parsed,
  { dataDir, sys }: Context,
): { readonly sup: Sup; readonly host: string } => {
  const [host, ...others] = values.host ?? [];
  if (others.length > 0)
    throw usageError('a dashboard shows one machine', `sup dashboard --host ${others.join(' ')}`);
  const origin = 'dashboard';
  return host === undefined
    ? { sup: connect({ dataDir, sys, origin }), host: hostname() }
    : { sup: connect({ host, sys, origin }), host };
};

export const dashboard: Handler = async (parsed, context) => {
  const { world } = context;
  const place = placeIn(parsed, context);
  const actions = parsed.flags.has('allow-actions');
  const files = join(dirname(world.supervisor), 'dashboard');
  const { sup, host } = shown(parsed, context);
  const served = await serveDashboard(sup, { place, files, actions, host, version: world.version });
  try {
    print(context, served, { socket: 'path' in place ? place.path : null, actions });
    await untilEnough(world, async (signal) => {
      if (!signal.aborted) await once(signal, 'abort');
    });
  } finally {
    await served.close();
  }
  return EXIT.done;
};
