// Boots a kernel of Debian in qemu, once for each scene, and says what came of the checks: 0 when every one passed.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { END, SCENES, type Scene } from '../guest/scene.ts';
import { boot, type Machine } from './boot.ts';
import { kernel, qemu } from './debian.ts';
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
  const image = join(scratch, 'root.cpio');
  writeImage(image, { root, guest });
  return { qemu: qemu(), kernel: kernel(wanted, join(root, '.vm')), image, limitMs };
};

const play = async (machine: Machine, scene: Scene): Promise<readonly string[]> => {
  const began = Date.now();
  console.log(`${scene}: ${machine.kernel.replace(/.*vmlinuz-/, '')}`);
  const first = await boot(machine, scene);
  const cameUp = first.some((line) => line.startsWith('vm: '));
  // Emulated machines have been seen to fall over before they had a first process: that says nothing of `sup`.
  if (!cameUp) console.log(`${scene}: the kernel did not come up; once more`);
  const lines = cameUp ? first : await boot(machine, scene);
  console.log(`${scene}: ${Math.round((Date.now() - began) / 1000)} s`);
  return judge(scene, lines, END);
};

/** The exit status. */
export const main = async (place: Place): Promise<number> => {
  const { values } = parseArgs({ args: [...place.line], options: OPTIONS });
  const machine = machineFor(place, values.kernel, Number(values.minutes) * 60_000);
  const failures: string[] = [];
  for (const scene of SCENES.filter((one) => values.only === undefined || one === values.only))
    failures.push(...(await play(machine, scene)));
  for (const failure of failures) console.log(`FAILED ${failure}`);
  console.log(failures.length === 0 ? 'vm: all passed' : `vm: ${failures.length} failed`);
  return failures.length === 0 ? 0 : 1;
};
