// Reads standard input line by line, and limits the memory for a line.

/** The maximum length of a line, bytes. */
export const LONGEST_LINE = 1024 * 1024;

const NEWLINE = 0x0a;

/** The line that is being read. `isDropped`: true if the line is too long and is skipped. */
interface Partial {
  readonly parts: Buffer[];
  size: number;
  isDropped: boolean;
}

const take = (line: Partial, chunk: Buffer): void => {
  line.size += chunk.length;
  if (line.size <= LONGEST_LINE) line.parts.push(chunk);
  else line.isDropped = true;
  if (line.isDropped) line.parts.length = 0;
};

const textOf = ({ parts, isDropped }: Partial): string | undefined =>
  isDropped ? undefined : Buffer.concat(parts).toString();

const empty = (): Partial => ({ parts: [], size: 0, isDropped: false });

/** Yields each line without its newline, and `undefined` for a line that is too long. */
export async function* inputLines(input: AsyncIterable<Buffer>): AsyncGenerator<string | undefined> {
  let line = empty();
  for await (const chunk of input) {
    let from = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, from)) {
      take(line, chunk.subarray(from, end));
      yield textOf(line);
      line = empty();
      from = end + 1;
    }
    take(line, chunk.subarray(from));
  }
  if (line.size > 0) yield textOf(line);
}
