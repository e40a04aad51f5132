// Finds the ports of an exported service in its health checks and sockets.
import type { Probe } from '../streams/domain/declared/health-check.ts';
import type { SocketSpec } from '../streams/domain/declared/spec.ts';
import { type CheckedPort, tcpAddress, urlPort } from '../streams/domain/service/port.ts';

const NUMBERED = /\{(?:instance|slot|candidate_slot|active_slot|service)\}/;

/** Returns the URL or address that a probe connects to; an empty text for other probes. */
export const probedText = (probe: Probe): string => {
  if (probe.tag === 'http') return probe.url;
  return probe.tag === 'tcp' ? probe.tcp : '';
};

/** True if the URL or address of a probe has a placeholder, such as `{instance}` or `{slot}`. */
export const isNumbered = (probe: Probe): boolean => NUMBERED.test(probedText(probe));

/** Returns the port that a probe by URL or TCP connects to; `undefined` for other probes. */
export const probedPlace = (probe: Probe): CheckedPort | undefined => {
  if (probe.tag === 'http') return urlPort(probe.url);
  return probe.tag === 'tcp' ? tcpAddress(probe.tcp) : undefined;
};

interface NamedPort {
  readonly name: string;
  readonly port: number;
}

/** Returns the TCP ports of held sockets. */
export const heldPorts = (sockets: readonly SocketSpec[]): readonly NamedPort[] =>
  sockets.flatMap(({ name, listen }) => (listen.tag === 'tcp' ? [{ name, port: listen.port }] : []));
