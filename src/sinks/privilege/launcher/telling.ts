// What a template receives for a launch. The orders come later, and only to the copy.
export interface Telling {
  readonly softFiles?: number | undefined;
  /** The marks by which the process is found from its first moment. */
  readonly marks: Readonly<Record<string, string>>;
}

export const messageOf = (telling: Telling): Buffer => Buffer.from(JSON.stringify(telling));

export const tellingOf = (message: Buffer): Telling => JSON.parse(message.toString('utf8')) as Telling;

/** The first line of a copy: its pid. It gets its orders when the supervisor knows the pid. */
interface Born {
  readonly pid: number;
}

export const bornLine = (born: Born): string => `${JSON.stringify(born)}\n`;

export const bornIn = (line: Buffer): Born => JSON.parse(line.toString('utf8')) as Born;
