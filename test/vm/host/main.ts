// Boots a kernel of Debian in qemu, once for each scene, and says what came of the checks: 0 when every one passed.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { END, SCENES, type Scene } from '../guest/scene.ts';
import { boot, isUp, type Accelerator, type Machine } from './boot.ts';
import { kernel, moduleOf, qemu } from './debian.ts';
import { writeImage } from './image.ts';
import { judge } from './verdict.ts';

interface Place {
  readonly root: string;
  /** Removed when this is over. */
  readonly scratch: string;
  readonly guest: string;
  readonly line: readonly string[];
}

const OPTIONS = {
  kernel: { type: 'string', default: 'linux-image-cloud-amd64' },
  minutes: { type: 'string', default: '20' },
  only: { type: 'string' },
} as const;

const machineFor = ({ root, scratch, guest }: Place, wanted: string, limitMs: number): Machine => {
  if (process.arch !== 'x64') throw new Error('the machine is made from the programs of this one: x64 only');
  if (!existsSync(join(root, 'dist/sup.js'))) throw new Error('there is no dist/: npm run build');
  const found = kernel(wanted, join(root, '.vm'));
  const image = join(scratch, 'root.cpio');
  writeImage(image, { root, scratch, guest, fuse: moduleOf(found, 'fuse', scratch) });
  return { qemu: qemu(), kernel: found, image, limitMs };
};

/** Fastest first: a host that is itself a guest may have a /dev/kvm under which nothing comes up. */
const ACCELERATORS: readonly Accelerator[] = ['kvm', 'tcg'];

interface Played {
  readonly lines: readonly string[];
  readonly accelerator: Accelerator;
}

/** A machine that has no first process says nothing of `sup`: it is tried with the next accelerator. */
const bootOne = async (
  machine: Machine,
  scene: Scene,
  [accelerator = 'tcg', ...others]: readonly Accelerator[],
): Promise<Played> => {
  const lines = await boot(machine, scene, accelerator);
  if (others.length === 0 || lines.some(isUp)) return { lines, accelerator };
  console.log(`${scene}: nothing came up with ${accelerator}`);
  return bootOne(machine, scene, others);
};

/** What failed in all scenes, each begun with the accelerator that the one before came up with. */
const playAll = async (machine: Machine, scenes: readonly Scene[]): Promise<readonly string[]> => {
  const failures: string[] = [];
  let accelerators = existsSync('/dev/kvm') ? ACCELERATORS : ACCELERATORS.slice(1);
  for (const scene of scenes) {
    const began = Date.now();
    console.log(`${scene}: ${machine.kernel.replace(/.*vmlinuz-/, '')}`);
    const { lines, accelerator } = await bootOne(machine, scene, accelerators);
    accelerators = ACCELERATORS.slice(ACCELERATORS.indexOf(accelerator));
    console.log(`${scene}: ${Math.round((Date.now() - began) / 1000)} s with ${accelerator}`);
    failures.push(...judge(scene, lines, END));
  }
  return failures;
};

/** The exit status. */
export const main = async (place: Place): Promise<number> => {
  const { values } = parseArgs({ args: [...place.line], options: OPTIONS });
  const machine = machineFor(place, values.kernel, Number(values.minutes) * 60_000);
  const failures = await playAll(
    machine,
    SCENES.filter((one) => values.only === undefined || one === values.only),
  );
  for (const failure of failures) console.log(`FAILED ${failure}`);
  console.log(failures.length === 0 ? 'vm: all passed' : `vm: ${failures.length} failed`);
  return failures.length === 0 ? 0 : 1;
};
