// The launcher's end of the channel to the supervisor: one descriptor, orders as frames (length, then JSON),
// reports as lines. A frame is read to its last byte and no further: the next one may be for the launcher
// that follows.
import { readSync, writeSync } from 'node:fs';
import type { Order, Report } from '../../../streams/launch/order.ts';

/** After standard input, output and error. */
const FIRST_HANDED = 3;

/** How many descriptors the launcher passes on to the program: its first argument. */
export const handedOn = (argv: readonly string[]): number => Number(argv[2] ?? 0);

/** The descriptor of the channel: it follows those that are passed on to the program. */
export const channelAfter = (handed: number): number => FIRST_HANDED + handed;

const LENGTH_BYTES = 4;

export interface Channel {
  /** Waits for an order. Throws when the supervisor has closed the channel. */
  receive(): Order;
  report(report: Report): void;
}

const readExactly = (descriptor: number, length: number): Buffer => {
  const buffer = Buffer.alloc(length);
  for (let have = 0; have < length;) {
    const count = readSync(descriptor, buffer, have, length - have, null);
    if (count === 0) throw new Error('the supervisor is gone');
    have += count;
  }
  return buffer;
};

export const channelOver = (descriptor: number): Channel => ({
  receive: () => {
    const length = readExactly(descriptor, LENGTH_BYTES).readUInt32LE();
    return JSON.parse(readExactly(descriptor, length).toString('utf8')) as Order;
  },
  report: (report) => {
    writeSync(descriptor, `${JSON.stringify(report)}\n`);
  },
});

/** The order as the frame that `receive` reads. */
export const frameOf = (order: Order): Buffer => {
  const text = Buffer.from(JSON.stringify(order));
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt32LE(text.length);
  return Buffer.concat([length, text]);
};
