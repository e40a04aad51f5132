// Fails unless this Node accepts the code cache of a text: node accepts-cache.cjs <text>
'use strict';
const { readFileSync } = require('node:fs');
const process = require('node:process');
const { Script } = require('node:vm');

const [, , file] = process.argv;
const text = readFileSync(file);
const cache = readFileSync(file.replace(/js$/, 'cache'));
const cachedData = cache.subarray(0, (cache.length - text.length) / 2);
const { cachedDataRejected } = new Script(text.toString('latin1'), { filename: file, cachedData });
if (cachedDataRejected !== false)
  throw new Error(`${file}: Node ${process.version} does not accept its code cache`);
