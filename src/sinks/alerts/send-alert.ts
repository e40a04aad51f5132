// Delivers one message to a receiver of alerts: by an HTTP POST, or to the standard input of a command.
// Whatever the receiver does, an attempt takes at most its time limit and a few KiB of memory: redirects are
// not followed, and the body of an answer is not read.
// Rules: `docs/alerts.md`, "A POST", "A command"; `docs/behaviour.md`, "Alerts", "A receiver never disturbs
// a service".
import { createHmac } from 'node:crypto';
import type { ClientRequest, IncomingMessage, RequestOptions } from 'node:http';
import { request } from 'node:http';
import { request as requestSecurely } from 'node:https';
import { firstValueFrom } from 'rxjs';
import { MOST_SECRET_BYTES, readTrusted } from '../../os/files/trusted-file.ts';
import type { Delivery } from '../../streams/alerts/deliveries.ts';
import type { CommandOutcome } from '../../streams/domain/event.ts';
import type { CommandRunner } from '../../streams/domain/ports.ts';
import { messageOf } from '../../streams/domain/errors/thrown.ts';
import { exitText } from '../../streams/domain/service/exit-status.ts';
import { lengthText } from '../../streams/domain/time.ts';
import type { Environment } from '../../streams/env/service-environment.ts';

export interface AlertPorts {
  readonly runner: CommandRunner;
  readonly environment: Environment;
  readonly dataDir: string;
  readonly version: string;
  /** True with `--sys`: only root may then be able to change the file of a secret. */
  readonly sys: boolean;
  /** Returns seconds since 1970, for the signature. */
  readonly now: () => number;
}

/** Returns the secret in a file, without white space at its ends. Throws a message for users. */
const secretIn = (path: string, sys: boolean): string => {
  const reading = readTrusted(path, { uid: process.getuid?.() ?? 0, sys }, MOST_SECRET_BYTES);
  const secret = reading.tag === 'read' ? reading.text.trim() : '';
  if (secret !== '') return secret;
  throw new Error(
    `the secret in ${path} cannot be used: ${'detail' in reading ? reading.detail : reading.tag}`,
  );
};

/** The limit on the headers of an answer, bytes: more than any proxy sends. Longer headers are an error. */
const MOST_HEADER_BYTES = 16 * 1024;

/**
 * Returns the value of `X-Sup-Signature`: the time in seconds, and the HMAC-SHA256 of `<time>.<body>` in
 * hexadecimal digits.
 */
const signatureOf = (secret: string, body: string, time: number): string =>
  `t=${time},v1=${createHmac('sha256', secret).update(`${time}.${body}`).digest('hex')}`;

const headersOf = (
  { id, attempt, about, body, alert }: Delivery,
  ports: AlertPorts,
): Record<string, string> => ({
  'content-type': 'application/json',
  'content-length': String(Buffer.byteLength(body)),
  'user-agent': `sup/${ports.version}`,
  'x-sup-alert': about.cause,
  'x-sup-delivery': id,
  'x-sup-attempt': String(attempt),
  ...(alert.secretFile !== undefined && {
    'x-sup-signature': signatureOf(secretIn(alert.secretFile, ports.sys), body, Math.floor(ports.now())),
  }),
});

const opened = (url: URL, options: RequestOptions): ClientRequest =>
  url.protocol === 'https:' ? requestSecurely(url, options) : request(url, options);

const statusText = ({ statusCode = 0 }: IncomingMessage): string | undefined => {
  if (statusCode >= 200 && statusCode < 300) return undefined;
  const redirect = statusCode >= 300 && statusCode < 400 ? ', a redirect, which is not followed' : '';
  return `it answered with status ${statusCode}${redirect}`;
};

/** Node's error codes for a certificate of an unknown CA. */
const UNKNOWN_CA: ReadonlySet<unknown> = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
]);

/**
 * Returns the reason why the receiver gave no answer. If Node tried several addresses, its error has a code
 * but no message.
 */
const unsentText = (error: NodeJS.ErrnoException): string => {
  const text = error.message === '' ? (error.code ?? error.name) : error.message;
  // Newer versions of Node add advice after a semicolon, about an option that the supervisor does not have.
  return UNKNOWN_CA.has(error.code)
    ? `its certificate is not trusted: ${text.split(';', 1).join('')} (NODE_EXTRA_CA_CERTS of the supervisor can name a file with the CA)`
    : text;
};

/** Resolves to the reason why the POST failed; `undefined` if it succeeded. Never rejects. */
const post = (delivery: Delivery, url: string, ports: AlertPorts): Promise<string | undefined> =>
  new Promise((resolve) => {
    const { alert, body } = delivery;
    const sent = opened(new URL(url), {
      method: 'POST',
      agent: false,
      headers: headersOf(delivery, ports),
      maxHeaderSize: MOST_HEADER_BYTES,
    });
    const timer = setTimeout(() => end(`no answer within ${lengthText(alert.timeout)}`), alert.timeout);
    const end = (failure: string | undefined): void => {
      clearTimeout(timer);
      resolve(failure);
      sent.destroy();
    };
    sent.on('response', (response) => {
      response.on('error', () => undefined);
      end(statusText(response));
    });
    // This listener is never removed: without a listener, a late error would end the supervisor.
    sent.on('error', (error) => end(unsentText(error)));
    sent.end(body);
  });

const variablesOf = ({ about, id, attempt }: Delivery, { dataDir }: AlertPorts): Environment => ({
  SUP_ALERT: about.cause,
  SUP_ALERT_ID: id,
  SUP_ATTEMPT: String(attempt),
  SUP_PROJECT: about.project,
  SUP_SERVICE: about.service,
  SUP_RUN: String(about.run ?? ''),
  SUP_ERROR: about.code ?? '',
  SUP_SUPERVISOR: dataDir,
});

const outcomeText = (outcome: CommandOutcome, { alert }: Delivery): string | undefined => {
  if (outcome.tag === 'over-budget') return `the command was killed after ${lengthText(alert.timeout)}`;
  const { status, evidence } = outcome;
  if (status.tag === 'code' && status.code === 0) return undefined;
  const last = evidence.at(-1);
  return `the command ${exitText(status)}${last === undefined ? '' : `: ${last.slice(0, 200)}`}`;
};

/** The outcome that is used if the runner completes without an outcome, which should never happen. */
const OVER: CommandOutcome = { tag: 'over-budget' };

const runCommand = async (
  delivery: Delivery,
  { command, directory }: Extract<Delivery['alert']['to'], { tag: 'command' }>,
  ports: AlertPorts,
): Promise<string | undefined> => {
  const { id, attempt, alert, body } = delivery;
  const outcome = await firstValueFrom(
    ports.runner.run({
      key: `alert:${id}.${attempt}`,
      about: 'an alert',
      command,
      directory,
      environment: () => ({ ...ports.environment, ...variablesOf(delivery, ports) }),
      limit: alert.timeout,
      input: `${body}\n`,
    }),
    { defaultValue: OVER },
  );
  return outcomeText(outcome, delivery);
};

/** Makes one attempt. Resolves to the reason why it failed; `undefined` if the receiver took the message. */
export const sendAlert = async (delivery: Delivery, ports: AlertPorts): Promise<string | undefined> => {
  const { to } = delivery.alert;
  try {
    return to.tag === 'url' ? await post(delivery, to.url, ports) : await runCommand(delivery, to, ports);
  } catch (error) {
    return messageOf(error);
  }
};
