// `sup import`: converts files of another program to a manifest, prints or writes it, and reports the
// settings that were lost.
import { resolve } from 'node:path';
import { checkedText, MOST_BYTES } from '../../../exchange/source-texts.ts';
import { importFiles, type Imported } from '../../../exchange/import-files.ts';
import { EXIT } from '../../../streams/wire/command-exit-status.ts';
import type { Context, Handler } from '../../context.ts';
import { valueOf } from '../../grammar/parsed-line.ts';
import { printDocument, remark } from '../../print.ts';
import { evaluatorFor } from './evaluate-file.ts';
import { lossDocument, printLosses, refuseLosses, refuseReplacing, writeWholeFile } from './report-losses.ts';

/** Resolves to all text of standard input. Rejects with ERR0803 if the input is binary or too large. */
const standardInput = async ({ world }: Context): Promise<string> => {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of world.input() as AsyncIterable<Buffer>) {
    parts.push(part);
    size += part.length;
    if (size > MOST_BYTES) break;
  }
  return checkedText('standard input', Buffer.concat(parts));
};

const show = (context: Context, imported: Imported, out: string | undefined): void => {
  const { format, services, manifest, losses } = imported;
  if (context.json)
    return printDocument(context, {
      ...{ schema: 'sup.import/1', format, services, manifest, out: out ?? null },
      losses: losses.map(lossDocument),
    });
  if (out === undefined) context.world.stdout.write(manifest);
  else
    remark(
      context,
      `${out}: ${services} ${services === 1 ? 'service' : 'services'} of ${format}; to check it: sup validate ${out}`,
    );
};

export const importCommand: Handler = async (parsed, context) => {
  const { flags, operands } = parsed;
  const { directory, environment } = context.world;
  const [isStrict, mayReplace, mayEvaluate] = [flags.has('strict'), flags.has('yes'), flags.has('evaluate')];
  const [out, format, project] = [
    valueOf(parsed, 'out'),
    valueOf(parsed, 'format'),
    valueOf(parsed, 'project'),
  ];
  const target = out === undefined ? undefined : resolve(directory, out);
  if (target !== undefined) refuseReplacing([target], mayReplace);
  const imported = await importFiles({
    ...{ files: operands, directory, environment, out: target, format, project },
    standardInput: () => standardInput(context),
    evaluate: evaluatorFor(context, mayEvaluate),
  });
  const { losses, manifest } = imported;
  printLosses(context, losses);
  refuseLosses(operands.join(', '), losses, isStrict);
  if (target !== undefined) writeWholeFile(target, manifest);
  show(context, imported, out);
  return losses.some(({ effect }) => effect === 'lost') ? EXIT.failed : EXIT.done;
};
