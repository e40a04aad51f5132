// Compiles the functions of a text that are in a list, and writes the code cache:
//   node compile-cache.cjs <text> <list of positions> <cache> <V8's number for the options of an ordinary start>
'use strict';
const { Buffer } = require('node:buffer');
const { readFileSync, writeFileSync } = require('node:fs');
const { Session } = require('node:inspector');
const { basename } = require('node:path');
const process = require('node:process');
const { Script } = require('node:vm');

const [, , file, calls, target, flags] = process.argv;
const text = readFileSync(file, 'latin1');

const session = new Session();
session.connect();
let scriptId;
session.on('Debugger.scriptParsed', ({ params }) => {
  scriptId = params.scriptId;
});
session.post('Debugger.enable');
// The name is written into the cache, and is not used when the program runs. It is a copy: a string that is
// cut from the path would put the whole path into the cache.
const filename = Buffer.from(basename(file)).toString('latin1');
const script = new Script(text, { filename });
// The text is an expression: running it makes a function, and nothing is called.
script.runInThisContext();

/** Returns a function that returns the line and column of a position; positions must ascend. */
const placer = () => {
  let line = 0;
  let begin = 0;
  return (position) => {
    for (let end = text.indexOf('\n', begin); end !== -1 && end < position; end = text.indexOf('\n', begin)) {
      line += 1;
      begin = end + 1;
    }
    return { lineNumber: line, columnNumber: position - begin };
  };
};

const placeOf = placer();
for (const position of JSON.parse(readFileSync(calls, 'utf8'))) {
  const { lineNumber, columnNumber } = placeOf(position);
  // To find the possible breakpoints of a function, V8 compiles it.
  const start = { scriptId, lineNumber, columnNumber };
  const end = { scriptId, lineNumber, columnNumber: columnNumber + 1 };
  session.post('Debugger.getPossibleBreakpoints', { start, end }, (error) => {
    if (error !== null) throw new Error(`${file}, position ${position}: ${error.message}`);
  });
}
session.post('Debugger.disable');
session.disconnect();

const data = script.createCachedData();
data.write(flags, 12, 'hex');
writeFileSync(target, data);
