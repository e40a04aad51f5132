// Inside the machine: the checks of the scene that it was booted for.
import { runAll, type Check } from './check.ts';
import { adopted } from './checks/adopted.ts';
import { ceilings } from './checks/ceilings.ts';
import { confined } from './checks/confined.ts';
import { outOfMemory } from './checks/out-of-memory.ts';
import { processOne } from './checks/process-one.ts';
import { silent } from './checks/silent.ts';
import { yama } from './checks/yama.ts';
import { read } from './kernel.ts';
import { SCENES } from './scene.ts';
import { supervise } from './sup.ts';

const comesUp: Check = { title: 'the supervisor comes up', run: supervise };

const CHECKS = {
  cgroups: [comesUp, ...adopted, ...ceilings, ...outOfMemory, ...silent, ...yama, ...confined],
  'process-1': processOne,
};

console.log(`vm: ${read('/proc/version').slice(0, 70)}`);
const scene = SCENES.find((one) => one === process.argv[2]);
if (scene === undefined) throw new Error(`no scene of that name: ${String(process.argv[2])}`);
await runAll(CHECKS[scene]);
if (scene === 'process-1') process.kill(1, 'SIGTERM');
