// `sup scale`: sets how many instances of a service with `replicas` run. This number is used until `replicas`
// in the manifest changes.
import { scaling } from '../../client/progress-texts.ts';
import { runCommand } from '../../client/run-command.ts';
import { EXIT } from '../../../streams/wire/command-exit-status.ts';
import type { Context, Handler } from '../../context.ts';
import { usageError } from '../../grammar/usage-error.ts';
import { supervisorFor } from '../../manifest-to-start.ts';
import { printDone } from '../../print.ts';
import { namesHere } from '../../selection.ts';
import type { Count } from '../../../streams/domain/command.ts';
import { declaredName } from '../../../streams/domain/ids.ts';
import { MOST_REPLICAS } from '../../../streams/domain/declared/manifest.ts';

const COUNT = /^([^=]+)=(\d{1,4})$/;

/**
 * Returns the service and the number in a text such as `web=4`. Throws ERR0200 if the text has another form.
 */
const countIn = (operand: string): Count => {
  const [, service, digits] = COUNT.exec(operand) ?? [];
  const replicas = Number(digits);
  if (service?.includes('@') === true)
    throw usageError(
      `"${service}" is one instance, and scale sets the number of all`,
      `sup scale ${declaredName(service)}=<number>; to stop one instance: sup stop ${service}`,
    );
  if (service === undefined || replicas < 1 || replicas > MOST_REPLICAS || /[*?]/.test(service))
    throw usageError(
      `"${operand}" is not a service and a number from 1 to ${MOST_REPLICAS}`,
      'sup scale <service>=<number>; to have no instance: sup stop <service>',
    );
  return { service, replicas };
};

/** Throws ERR0200 if the command line has two numbers for the same service. */
const refuseTwice = (counts: readonly Count[]): void => {
  const twice = counts.find(({ service }, place) =>
    counts.slice(0, place).some((other) => other.service === service),
  );
  if (twice !== undefined)
    throw usageError(`"${twice.service}" is given more than one number`, 'sup scale <service>=<number>');
};

const namedHere = (counts: readonly Count[], context: Context): readonly Count[] => {
  const names = namesHere(
    counts.map(({ service }) => service),
    context,
  );
  return counts.map(({ service, replicas }, place) => ({ service: names[place] ?? service, replicas }));
};

export const scale: Handler = async ({ operands, values: { project: projects } }, context) => {
  const written = operands.map(countIn);
  const counts = projects === undefined ? namedHere(written, context) : written;
  refuseTwice(counts);
  const selection = { services: counts.map(({ service }) => service), ...(projects && { projects }) };
  const client = await supervisorFor(context, { selection });
  try {
    const command = { type: 'scale', counts, ...(projects && { projects }) } as const;
    const done = await runCommand(context, client, { command, activity: scaling(selection) });
    printDone(context, done, { command: 'scale', none: 'no changes' });
    return EXIT.done;
  } finally {
    client.close();
  }
};
