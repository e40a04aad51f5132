import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { nameHolder, takeName } from '../../src/os/abstract-sockets.ts';

describe('an abstract socket name', () => {
  it('an abstract socket name has one holder, whose pid is found, until it is released', async () => {
    const name = `sup-test/${randomUUID()}`;
    expect(nameHolder([name])).toBeUndefined();
    const server = await takeName(name);
    expect(server).toBeDefined();
    expect(await takeName(name)).toBeUndefined();
    expect(nameHolder(['sup-test/another', name])).toBe(process.pid);
    server?.close();
    if (server !== undefined) await once(server, 'close');
    expect(nameHolder([name])).toBeUndefined();
  });
});
