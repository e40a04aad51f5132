// `sup exec`: a command in the directory and with the variables of a service, whether that runs or not. It has the
// terminal, and its exit status is the answer.
import { shownId } from '../../../streams/domain/ids.ts';
import type { ServiceSpec } from '../../../streams/domain/declared/spec.ts';
import type { Context } from '../../context.ts';
import { usageError } from '../../grammar/usage.ts';
import type { Parsed } from '../../grammar/parsed.ts';
import type { Handler } from '../../handler.ts';
import { chosenServices } from '../../running/chosen.ts';
import { runHere, shellStatus } from '../../running/run-here.ts';
import { selectionOf } from '../../selection/selection.ts';

/** Throws a usage error for a pattern that means several. */
const onlyOne = (parsed: Parsed, context: Context): ServiceSpec => {
  const [first, second] = chosenServices(context, selectionOf(parsed, context));
  const [name = ''] = parsed.operands;
  if (first !== undefined && second === undefined) return first.spec;
  const some = first === undefined ? 'no service' : `${shownId(first.spec.id)} and others`;
  throw usageError(`sup exec takes one service, and "${name}" means ${some}`, 'write project/name');
};

export const exec: Handler = async (parsed, context) => {
  const [name = ''] = parsed.operands;
  if (parsed.tail.length === 0) throw usageError('sup exec needs a command', `sup exec ${name} -- <command>`);
  const spec = onlyOne(parsed, context);
  return shellStatus(await runHere(context, { argv: parsed.tail, spec }));
};
