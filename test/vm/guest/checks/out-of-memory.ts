// A kill for lack of memory is reported as the cause of an exit, whichever process of the cgroup it was.
import { eventually, type Check } from '../check.ts';
import { ROOT } from '../kernel.ts';
import { serviceNamed, start, told } from '../sup.ts';

const CAUSE = 'out of memory (limits.cgroup.memory_max)';

const limits = { cgroup: { root: ROOT, memory_max: '24M' } };

/** What status says of how it ended, once it has ended. */
const endOf = (name: string): Promise<string> =>
  eventually(`${name} to end`, () => {
    const service = serviceNamed(name);
    return service.pid === null && service.last_exit !== null ? JSON.stringify(service) : undefined;
  });

const expectIn = (text: string, words: readonly string[]): void => {
  for (const word of words) if (!text.includes(word)) throw new Error(`no "${word}" in ${text}`);
};

/** Swap would let it grow further; there is none. It lives for long enough to have been started. */
const eats = (how: string): unknown => ({ command: how, limits, restart_policy: 'never' });

export const outOfMemory: readonly Check[] = [
  {
    title: 'a service that takes more than memory.max is killed, and told why',
    run: async () => {
      start('hog', { hog: eats('sleep 3; exec tail /dev/zero') });
      expectIn(await endOf('hog'), ['SIGKILL', CAUSE]);
    },
  },
  {
    title: 'a child that is killed is told as the cause of the exit that follows',
    run: async () => {
      start('parent', { parent: eats('sleep 3; tail /dev/zero; exit 7') });
      expectIn(await endOf('parent'), ['exited with 7', CAUSE]);
    },
  },
  {
    title: 'an exit for another reason is not told as one for want of memory',
    run: async () => {
      start('other', { other: eats('sleep 3; exit 9') });
      const text = await endOf('other');
      expectIn(text, ['exited with 9']);
      if (text.includes('out of memory')) throw new Error(text);
    },
  },
  {
    title: 'inspect says so too',
    run: async () => {
      expectIn(told('inspect', '--sys', 'hog', '--json'), [CAUSE]);
      return Promise.resolve();
    },
  },
];

export { CAUSE, endOf, expectIn };
