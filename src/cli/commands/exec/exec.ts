// `sup exec`: runs a command in the environment and confinement of a service, even if the service is down.
import { shownId } from '../../../streams/domain/ids.ts';
import type { Service } from '../../../streams/domain/service/service.ts';
import type { Context, Handler } from '../../context.ts';
import { usageError } from '../../grammar/usage-error.ts';
import type { Parsed } from '../../grammar/parsed-line.ts';
import { chosenServices } from '../kill/running-services.ts';
import { runHere, shellStatus } from './run-as-service.ts';
import { selectionOf } from '../../selection.ts';

/** Returns the selected service. Throws a usage error if the selection is not exactly one service. */
const onlyOne = (parsed: Parsed, context: Context): Service => {
  const [first, second] = chosenServices(context, selectionOf(parsed, context));
  const [name = ''] = parsed.operands;
  if (first !== undefined && second === undefined) return first;
  const some = first === undefined ? 'no service' : `${shownId(first.spec.id)} and others`;
  throw usageError(`sup exec takes one service, and "${name}" means ${some}`, 'write project/name');
};

export const exec: Handler = async (parsed, context) => {
  const [name = ''] = parsed.operands;
  if (parsed.tail.length === 0) throw usageError('sup exec needs a command', `sup exec ${name} -- <command>`);
  const plan = parsed.flags.has('unconfined') ? 'user' : 'service';
  const service = onlyOne(parsed, context);
  return shellStatus(await runHere(context, { argv: parsed.tail, service, plan }));
};
