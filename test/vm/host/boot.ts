// One life of the machine: boots it, prints what it says, ends it when its time is over.
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Scene } from '../guest/scene.ts';

export interface Machine {
  readonly qemu: string;
  readonly kernel: string;
  readonly image: string;
  readonly limitMs: number;
}

/** Colours, and the carriage return of a console. */
const NOISE = new RegExp(`${String.fromCharCode(27)}(\\[[\\d;?]*[A-Za-z]|c)|\\r`, 'g');

const MEMORY = '2048';

const argumentsFor = ({ kernel, image }: Machine, scene: Scene): readonly string[] => [
  ...['-machine', 'pc,accel=kvm:tcg', '-cpu', 'max', '-smp', '2', '-m', MEMORY],
  ...['-display', 'none', '-monitor', 'none', '-serial', 'stdio', '-no-reboot', '-nic', 'none'],
  ...['-kernel', kernel, '-initrd', image],
  '-append',
  `console=ttyS0 quiet loglevel=1 panic=-1 mitigations=off sup.scene=${scene}`,
];

/** Every line of its console. The last one may be of a machine that was ended because its time was over. */
export const boot = async (machine: Machine, scene: Scene): Promise<readonly string[]> => {
  const child = spawn(machine.qemu, argumentsFor(machine, scene), { stdio: ['ignore', 'pipe', 'inherit'] });
  const lines: string[] = [];
  const limit = setTimeout(() => {
    lines.push(`the machine was ended after ${machine.limitMs / 1000} s`);
    child.kill('SIGKILL');
  }, machine.limitMs);
  try {
    for await (const line of createInterface({ input: child.stdout })) {
      const text = line.replace(NOISE, '');
      console.log(`  | ${text}`);
      lines.push(text);
    }
    return lines;
  } finally {
    clearTimeout(limit);
    child.kill('SIGKILL');
  }
};
