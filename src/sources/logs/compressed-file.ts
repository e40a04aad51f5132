// A compressed log file, read as if it were not compressed. It is decompressed at the first read: into memory
// or, if it is large, into a file without a name. If the file is damaged, the content before the damage is
// read.
//
// Rules: `docs/behaviour.md`, "Output", "Compressed files".
import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type FileHandle, open, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { promisify } from 'node:util';
import { createGunzip, constants as modes, gunzip } from 'node:zlib';
import { messageOf } from '../../streams/domain/errors/thrown.ts';
import { HEAD_LENGTH, readHead, type LogHead } from '../../streams/wire/compressed-log-head.ts';

/** The operations of an open file that readers need. */
export interface LogHandle {
  /** Absent if the content is not read from the disk. */
  readonly fd?: number;
  readonly read: (
    into: Buffer,
    place: { readonly length: number; readonly position: number },
  ) => Promise<{ readonly buffer: Buffer; readonly bytesRead: number }>;
  readonly stat: () => Promise<{ readonly size: number }>;
  readonly close: () => Promise<void>;
}

/** The maximum size of content that is decompressed into memory, bytes. */
const LARGE_BYTES = 256 * 1024 * 1024;
/** The largest factor by which Deflate can make content smaller. */
const BEST_RATIO = 1032;
/** The smallest size of the buffer into which content is decompressed, bytes. */
const PIECE_BYTES = 64 * 1024;
/**
 * The size of the last field of a gzip file, bytes. The field contains the size of the content, modulo 2^32.
 */
const SIZE_BYTES = 4;

const decompressed = promisify(gunzip);

const inMemory = (content: Buffer): LogHandle => ({
  read: (into, { length, position }) =>
    Promise.resolve({
      buffer: into,
      bytesRead: content.copy(into, 0, Math.min(position, content.length), position + length),
    }),
  stat: () => Promise.resolve({ size: content.length }),
  close: () => Promise.resolve(),
});

/** Opens a temporary file and removes its name, so that the file vanishes when it is closed. */
const nameless = async (): Promise<FileHandle> => {
  const path = `${tmpdir()}/sup-log-${randomUUID()}`;
  const file = await open(path, 'wx+', 0o600);
  await rm(path, { force: true });
  return file;
};

/** Calls `take` with the content up to the first damage. Resolves to the damage, if there is any. */
const pour = async (
  path: string,
  finishFlush: number,
  take: (bytes: Buffer) => Promise<void>,
): Promise<string | undefined> => {
  const stream = createReadStream(path).pipe(createGunzip({ finishFlush }));
  try {
    // The cast is safe: a decompressor yields buffers.
    for await (const bytes of stream) await take(bytes as Buffer);
    return undefined;
  } catch (error) {
    return messageOf(error);
  }
};

interface Content {
  readonly handle: LogHandle;
  readonly damage?: string;
}

const spooled = async (path: string): Promise<Content> => {
  const handle = await nameless();
  const damage = await pour(path, modes.Z_FINISH, async (bytes) => {
    await handle.write(bytes);
  });
  return { handle, ...(damage !== undefined && { damage }) };
};

const salvaged = async (path: string, error: unknown): Promise<Content> => {
  const found: Buffer[] = [];
  // With this mode, a file that ends early is decompressed up to its last byte.
  await pour(path, modes.Z_SYNC_FLUSH, (bytes) => Promise.resolve(void found.push(bytes)));
  return { handle: inMemory(Buffer.concat(found)), damage: messageOf(error) };
};

const contentOf = async (raw: FileHandle): Promise<Content> => {
  const { size } = await raw.stat();
  const end = Buffer.alloc(SIZE_BYTES);
  await raw.read(end, 0, SIZE_BYTES, Math.max(0, size - SIZE_BYTES));
  // The file is opened by its descriptor, because a rotation may have given its name to another file.
  const own = `/proc/self/fd/${String(raw.fd)}`;
  const told = end.readUInt32LE();
  const isLarge = size > LARGE_BYTES / BEST_RATIO && told > LARGE_BYTES;
  if (isLarge || size > LARGE_BYTES) return spooled(own);
  try {
    // The content is decompressed in one piece: in pieces of 16 KiB, the default, it takes three to five
    // times as long.
    const chunkSize = Math.min(told, size * BEST_RATIO) + PIECE_BYTES;
    return { handle: inMemory(await decompressed(await readFile(own), { chunkSize })) };
  } catch (error) {
    return salvaged(own, error);
  }
};

interface CompressedFile {
  readonly handle: LogHandle;
  readonly head: LogHead | undefined;
}

/** Opens a compressed file. `onDamage` is called, with a reason, if a part of it cannot be read. */
export const compressedFile = async (
  raw: FileHandle,
  onDamage: (reason: string) => void,
): Promise<CompressedFile> => {
  const { buffer, bytesRead } = await raw.read(Buffer.alloc(HEAD_LENGTH), 0, HEAD_LENGTH, 0);
  let opened: Promise<LogHandle> | undefined;
  const content = (): Promise<LogHandle> => {
    opened ??= contentOf(raw).then(({ handle, damage }) => {
      if (damage !== undefined) onDamage(damage);
      return handle;
    });
    return opened;
  };
  return {
    head: readHead(buffer.toString('latin1', 0, bytesRead)),
    handle: {
      read: async (...how) => (await content()).read(...how),
      stat: async () => (await content()).stat(),
      close: async () => {
        const before = opened;
        // The content is no longer referenced and can be freed, even if the caller keeps the closed handle.
        opened = undefined;
        await raw.close();
        await (await before)?.close();
      },
    },
  };
};
