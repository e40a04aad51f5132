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

/** What executes the machine: the kernel of this one (`kvm`), or qemu alone (`tcg`), some twenty times slower. */
export type Accelerator = 'kvm' | 'tcg';

/** Colours, and the carriage return of a console. */
const NOISE = new RegExp(`${String.fromCharCode(27)}(\\[[\\d;?]*[A-Za-z]|c)|\\r`, 'g');

const MEMORY = '2048';

/** A machine that is executed by the kernel has its first process within a few seconds, or never. */
const UP_WITHIN_MS = { kvm: 40_000, tcg: 600_000 } as const;

const argumentsFor = (
  { kernel, image }: Machine,
  scene: Scene,
  accelerator: Accelerator,
): readonly string[] => [
  ...['-machine', `pc,accel=${accelerator}`, '-cpu', 'max', '-smp', '2', '-m', MEMORY],
  ...['-display', 'none', '-monitor', 'none', '-serial', 'stdio', '-no-reboot', '-nic', 'none'],
  ...['-kernel', kernel, '-initrd', image],
  '-append',
  `console=ttyS0 quiet loglevel=1 panic=-1 mitigations=off sup.scene=${scene}`,
];

/** Said by the checks before anything else: the machine has a first process. */
export const isUp = (line: string): boolean => line.startsWith('vm: ');

/** Every line of its console. The last one may be of a machine that was ended because its time was over. */
export const boot = async (
  machine: Machine,
  scene: Scene,
  accelerator: Accelerator,
): Promise<readonly string[]> => {
  const stdio = ['ignore', 'pipe', accelerator === 'kvm' ? 'ignore' : 'inherit'] as const;
  const child = spawn(machine.qemu, argumentsFor(machine, scene, accelerator), { stdio: [...stdio] });
  const lines: string[] = [];
  const endAfter = (ms: number) =>
    setTimeout(() => {
      lines.push(`the machine was ended after ${ms / 1000} s`);
      child.kill('SIGKILL');
    }, ms);
  const limit = endAfter(machine.limitMs);
  const up = endAfter(UP_WITHIN_MS[accelerator]);
  try {
    for await (const line of createInterface({ input: child.stdout })) {
      const text = line.replace(NOISE, '');
      console.log(`  | ${text}`);
      lines.push(text);
      if (isUp(text)) clearTimeout(up);
    }
    return lines;
  } finally {
    clearTimeout(up);
    clearTimeout(limit);
    child.kill('SIGKILL');
  }
};
