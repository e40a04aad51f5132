// Checks the health of a service by HTTP GET: a status 2xx passes. Redirects to the same host and port are
// followed, proxies are never used (`docs/behaviour.md`, "Health checks"). The error is ERR0022 if there is
// no connection, ERR0023 for a late answer, and ERR0104 for a bad answer.
import { setMaxListeners } from 'node:events';
import { Observable, map, race, type SchedulerLike } from 'rxjs';
import { errnoOf } from '../../os/errno.ts';
import type { ProbeResult } from '../../streams/domain/event.ts';
import { messageOf } from '../../streams/domain/errors/thrown.ts';
import type { LocalPlace, PortConflict } from '../../streams/domain/service/port.ts';
import type { Ms } from '../../streams/domain/time.ts';
import { after } from '../../streams/operators/long-timer.ts';
import { excerptIn, httpClient, type HttpClient, type HttpResponse } from './http-client.ts';
import type { Prober } from './prober.ts';
import { maskedText } from '../../streams/views/words/masked-text.ts';

/** Returns the foreign process that listens at this address, if it is known. */
export type Stranger = (place: LocalPlace) => Promise<PortConflict | undefined>;

interface HttpLimits {
  readonly stranger: Stranger;
  /** Time limit of one attempt, including its redirects. */
  readonly limit: Ms;
  readonly scheduler: SchedulerLike;
}

export const MAX_REDIRECTS = 5;

/**
 * Makes one attempt. Emits the result of `probe`, or `timed-out` at the time limit. The signal aborts when
 * the attempt ends.
 */
export function attemptOf(
  probe: (signal: AbortSignal) => Promise<ProbeResult>,
  { limit, scheduler }: Pick<HttpLimits, 'limit' | 'scheduler'>,
): Observable<ProbeResult> {
  const result$ = new Observable<ProbeResult>((subscriber) => {
    const abort = new AbortController();
    // A probe may open several connections, each with a listener on this signal.
    setMaxListeners(0, abort.signal);
    void probe(abort.signal).then((result) => {
      subscriber.next(result);
      subscriber.complete();
    });
    // Without a reason, Node makes an error with a stack trace at the end of every attempt.
    return () => abort.abort('over');
  });
  return race(result$, after(limit, scheduler).pipe(map((): ProbeResult => ({ tag: 'timed-out' }))));
}

export const httpProber = (url: string, { stranger, ...limits }: HttpLimits): Prober => {
  const client = httpClient();
  return {
    attempt$: attemptOf((signal) => ask({ client, stranger }, url, signal), limits),
    close: () => client.close(),
  };
};

interface ProbeContext {
  readonly client: HttpClient;
  readonly stranger: Stranger;
}

const ask = async (context: ProbeContext, url: string, signal: AbortSignal): Promise<ProbeResult> => {
  try {
    return await follow(context, new URL(url), signal);
  } catch (error) {
    return refusalOf(error);
  }
};

const follow = async (
  { client, stranger }: ProbeContext,
  url: URL,
  signal: AbortSignal,
): Promise<ProbeResult> => {
  let target = url;
  let here: LocalPlace | undefined;
  for (let hop = 0; hop <= MAX_REDIRECTS; hop += 1) {
    const response = await client.get(target, signal);
    if (hop === 0) ({ here } = response);
    if (response.redirect === undefined) return owned(await judge(target, response), { here, stranger });
    response.discard();
    const next = new URL(response.redirect, target);
    if (!isSamePlace(next, url)) return elsewhere(target, next);
    target = next;
  }
  return { tag: 'unhealthy', detail: `GET ${maskedText(url.href)}: more than ${MAX_REDIRECTS} redirects` };
};

/**
 * True if both URLs have the same host and port. A redirect to another host or port is not followed, because
 * it could lead to addresses that only the supervisor can reach, such as loopback addresses or cloud
 * metadata.
 */
export const isSamePlace = (one: URL, other: URL): boolean =>
  one.hostname === other.hostname && portOf(one) === portOf(other);

/** Returns the port of a URL; if the URL has none, the default port of its protocol. */
export const portOf = ({ port, protocol }: URL): string => {
  if (port !== '') return port;
  return protocol === 'https:' ? '443' : '80';
};

/** Returns the failure for a redirect to another host or port. Its target is never requested. */
export const elsewhere = (from: URL, to: URL): ProbeResult => ({
  tag: 'unhealthy',
  detail:
    `GET ${maskedText(from.href)} redirects to ${excerptIn(Buffer.from(maskedText(to.href)))}: redirects are followed only to the same host and port; ` +
    'write that address as the url of the check if it is the service',
});

interface Answered {
  /** The address of the server that answered the first request, if it is on this machine. */
  readonly here: LocalPlace | undefined;
  readonly stranger: Stranger;
}

/**
 * Returns the result; `stranger` instead of `passed` if a foreign process is known to have answered the
 * check.
 */
const owned = async (result: ProbeResult, { here, stranger }: Answered): Promise<ProbeResult> => {
  if (result.tag !== 'passed' || here === undefined) return result;
  const taken = await stranger(here).catch(() => undefined);
  return taken === undefined ? result : { tag: 'stranger', taken };
};

export const judge = async (url: URL, response: HttpResponse): Promise<ProbeResult> => {
  if (response.status >= 200 && response.status <= 299) {
    response.discard();
    return { tag: 'passed' };
  }
  const body = await response.excerpt();
  const said = body === '' ? '' : `: ${body}`;
  return { tag: 'unhealthy', detail: `GET ${maskedText(url.href)} answered ${response.status}${said}` };
};

/** Returns `unhealthy` for an answer that is not HTTP, and `unreachable` for any other error. */
export const refusalOf = (error: unknown): ProbeResult => {
  const spoken = errnoOf(error)?.startsWith('HPE_');
  return spoken
    ? { tag: 'unhealthy', detail: `the answer is not HTTP (${textOf(error)})` }
    : { tag: 'unreachable', detail: textOf(error) };
};

/** Matches the error texts of OpenSSL for an answer of a server that does not use TLS. */
const PLAIN = /wrong version number|packet length too long/;

/**
 * Returns the text of an error. If a host name has several addresses, the text contains the errors of all
 * addresses.
 */
const textOf = (error: unknown): string => {
  if (error instanceof AggregateError) return error.errors.map(textOf).join(', ');
  if (PLAIN.test(messageOf(error))) return 'the server speaks plain http, and the url says https';
  return messageOf(error);
};
