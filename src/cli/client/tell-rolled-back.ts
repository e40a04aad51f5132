// An apply or a restart takes up the manifest of services that were rolled back: this is reported before it
// begins.
import type { Selection } from '../../streams/domain/command.ts';
import type { Context } from '../context.ts';
import { remark } from '../print.ts';
import { servicesIn } from '../watch/live-model.ts';
import type { Client } from './client.ts';

/** Reports nothing if the selection has an unknown name: the command itself reads the manifest first. */
export const tellRolledBack = async (
  context: Context,
  client: Client,
  selection: Selection,
): Promise<void> => {
  if (context.quiet || context.json) return;
  const status = await client.call('status', selection).catch(() => undefined);
  const names = servicesIn(status?.projects ?? [])
    .filter(({ service }) => service.deploy.rolled_back)
    .map(({ id }) => id.replace(/^__loose__\//, ''));
  if (names.length > 0) remark(context, `applies the manifest again after a rollback: ${names.join(', ')}`);
};
