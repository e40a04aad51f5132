// Checks a service with `replicas` (ERR0222; `docs/manifest.md`, "replicas"):
// - A service with a schedule or a pair of slots cannot have several instances.
// - If the checks of all instances connect to the same local address, it must be that of a held socket.
//
// Also warns about a variable that the number of the instance overrides.
import { quoted } from './problem-report.ts';
import { written } from './report-ignored-keys.ts';
import { isHttpUrl } from '../decode/scalars/addresses.ts';
import type { deployment } from '../decode/deployment-object.ts';
import type { sockets } from '../decode/listen-sockets.ts';
import {
  reportAt,
  reportAtKey,
  type DecodeContext,
  type Spot,
  type ValueOf,
} from '../decode/shapes/decoder.ts';
import { type CheckedPort, tcpAddress, urlPort } from '../../streams/domain/service/port.ts';
import { INSTANCE } from '../../streams/env/service-environment.ts';
import { filledInstance } from '../../streams/rollout/instance-specs.ts';

interface Declared {
  readonly replicas?: number;
  readonly deployment: ValueOf<typeof deployment>;
  readonly sockets?: ValueOf<typeof sockets>;
}

/** Keys that cannot be combined with `replicas`, with the reason. */
const ALONE = [
  ['cron', 'a schedule starts one run at a time'],
  ['deployment.blue_green', 'it has one pair of slots; strategy rolling replaces one instance after another'],
] as const;

const refuseAlone = (spot: Spot, context: DecodeContext): void => {
  for (const [key, why] of ALONE) {
    const at = written(spot, key);
    if (at === undefined) continue;
    const name = key.slice(key.lastIndexOf('.') + 1);
    reportAtKey(at, context, { code: 'ERR0222', message: `${name} and replicas exclude each other: ${why}` });
  }
};

const listensAt = ({ sockets: held = [] }: Declared, port: number): boolean =>
  held.some(({ value: { listen } }) => listen.tag === 'tcp' && listen.port === port);

interface CheckedAddress {
  /** The key below `deployment`. */
  readonly key: string;
  readonly text: string;
  readonly placeOf: (text: string) => CheckedPort | undefined;
}

/** Returns the addresses that the health check and its liveness check connect to. */
const addressesOf = ({ deployment: { healthCheck: check } }: Declared): readonly CheckedAddress[] =>
  Object.entries({ health_check: check, 'health_check.liveness': check?.liveness }).flatMap(
    ([name, { url, tcp } = {}]) => [
      ...(url === undefined ? [] : [{ key: `${name}.url`, text: url, placeOf: urlPort }]),
      ...(tcp === undefined ? [] : [{ key: `${name}.tcp`, text: tcp, placeOf: tcpAddress }]),
    ],
  );

/** Returns the host and port of a URL; any other text is returned as it is. */
const hostOf = (address: string): string => (isHttpUrl(address) ? new URL(address).host : address);

/** True if the checks of the first two instances connect to different hosts or ports. */
const isOwn = (text: string): boolean => hostOf(filledInstance(text, 1)) !== hostOf(filledInstance(text, 2));

/**
 * Refuses a check of a local port that all instances share, unless the service declares this port in
 * `sockets`.
 */
const refuseFixedPorts = (declared: Declared, spot: Spot, context: DecodeContext): void => {
  for (const { key, text, placeOf } of addressesOf(declared)) {
    const at = written(spot, `deployment.${key}`);
    const place = placeOf(filledInstance(text, 1));
    if (at === undefined || place?.isLoopback !== true || isOwn(text)) continue;
    if (listensAt(declared, place.port)) continue;
    reportAt(at, context, {
      code: 'ERR0222',
      message: `${quoted(text)} is one port for all instances, and no socket of the service listens there`,
      hint: 'write {instance} in the port, or have the port in sockets, which all instances share',
    });
  }
};

const warnOfInstance = (spot: Spot, context: DecodeContext): void => {
  if (!Object.hasOwn(context.scope.env.vars, INSTANCE)) return;
  const at = written(spot, 'replicas') ?? spot;
  const message = `${INSTANCE} of env has no effect: it is set to the number of the instance`;
  reportAtKey(at, context, { code: 'ERR0223', severity: 'warning', message });
};

/** Checks the keys of a service with `replicas`. `spot`: the service. */
export const checkReplicas = (declared: Declared, spot: Spot, context: DecodeContext): void => {
  if (declared.replicas === undefined) return;
  refuseAlone(spot, context);
  refuseFixedPorts(declared, spot, context);
  warnOfInstance(spot, context);
};
