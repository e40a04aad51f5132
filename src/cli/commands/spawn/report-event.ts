// `sup event`, inside a service: reports an event of the service to its supervisor, on the service socket.
// The supervisor learns from the kernel which process reports. The environment only says where to connect.
// Rules: `docs/behaviour.md`, "Events that a service reports", "Confined services".
import { existsSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { serviceSocketPath } from '../../../sources/control/socket-place.ts';
import type { Report } from '../../../streams/domain/command.ts';
import { failure } from '../../../streams/views/errors/command-failure.ts';
import { EXIT } from '../../../streams/wire/command-exit-status.ts';
import {
  DATA_KEY,
  LONGEST_TEXT,
  LONGEST_VALUE,
  MOST_DATA,
} from '../../../streams/wire/params/report-params.ts';
import { connect, type Client } from '../../../client/client.ts';
import { isUnanswered } from '../../../client/client-failure.ts';
import { runCommand } from '../../client/run-command.ts';
import type { Context, Handler } from '../../context.ts';
import { usageError } from '../../grammar/usage-error.ts';
import { type Parsed, valueOf } from '../../grammar/parsed-line.ts';
import { printDone } from '../../print.ts';
import { placeOf } from './spawn.ts';

const tooLarge = (detail: string): Error => failure({ code: 'ERR0409', detail });

const pairOf = (given: string): readonly [string, string] => {
  const [, key = '', value = ''] = /^([^=]*)=([^]*)$/.exec(given) ?? [];
  if (!DATA_KEY.test(key))
    throw usageError(`--data: "${given}" is not key=value`, 'sup event "cache warmed" --data entries=512');
  if (value.length > LONGEST_VALUE)
    throw tooLarge(`the value of ${key} has ${value.length} characters; it may have ${LONGEST_VALUE}`);
  return [key, value];
};

const dataOf = (parsed: Parsed): Report['data'] => {
  const pairs = (parsed.values.data ?? []).map(pairOf);
  if (pairs.length > MOST_DATA) throw tooLarge(`there are ${pairs.length} keys; there may be ${MOST_DATA}`);
  return Object.fromEntries(pairs);
};

const reportOf = (parsed: Parsed, { world }: Context): Report => {
  const [text = ''] = parsed.operands;
  if (text === '') throw usageError('sup event needs a text', 'sup event "cache warmed"');
  if (text.length > LONGEST_TEXT)
    throw tooLarge(`the text has ${text.length} characters; it may have ${LONGEST_TEXT}`);
  const unit = world.environment['SUP_UNIT'];
  return {
    text,
    level: valueOf(parsed, 'level') === 'warning' ? 'warning' : 'info',
    data: dataOf(parsed),
    ...(unit !== undefined && unit !== '' && { unit }),
  };
};

/** How long to try while the supervisor is restarted, or has too many connections, ms. */
const PATIENCE_MS = 5_000;
const PAUSE_MS = 100;

const connectAt = async (dataDir: string, path: string): Promise<Client | undefined> => {
  try {
    return await connect(dataDir, { path });
  } catch (thrown) {
    if (isUnanswered(thrown)) return undefined;
    throw thrown;
  }
};

/**
 * Connects to the service socket of a privileged supervisor, or else of an unprivileged one. Rejects with
 * ERR0206 if none answers.
 */
const onServiceSocket = async (dataDir: string): Promise<Client> => {
  const places = [true, false].map((sys) => serviceSocketPath(dataDir, { sys }));
  const until = performance.now() + PATIENCE_MS;
  for (;;) {
    const there = places.filter((path) => existsSync(path));
    for (const path of there) {
      const client = await connectAt(dataDir, path);
      if (client !== undefined) return client;
    }
    if (there.length === 0 || performance.now() > until) throw failure({ code: 'ERR0206', dataDir });
    await pause(PAUSE_MS);
  }
};

export const event: Handler = async (parsed, context) => {
  const report = reportOf(parsed, context);
  const client = await onServiceSocket(placeOf(context));
  try {
    const activity = { verb: 'reporting', selection: {}, pending: () => false };
    await runCommand({ ...context, quiet: true }, client, { command: { type: 'report', report }, activity });
  } finally {
    client.close();
  }
  if (context.json) printDone(context, { outcomes: [], warnings: [] }, { command: 'event' });
  return EXIT.done;
};
