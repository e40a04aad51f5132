// Recommends teapots and crashes after SHOP_CRASH_AFTER seconds (default: 70 to 120).
import { setTimeout as pause } from 'node:timers/promises';

const chosen = Number(process.env.SHOP_CRASH_AFTER);
const lifetime = chosen > 0 ? chosen : 70 + Math.random() * 50;

console.log('warming up');
for (let second = 0; second < lifetime; second++) {
  if (second % 10 === 0)
    console.log(`people who bought a teapot also bought a ${second % 20 ? 'cup' : 'spoon'}`);
  await pause(1000);
}
console.error('out of ideas');
process.exit(1);
