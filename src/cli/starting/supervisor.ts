// The supervisor's program, as it is started: by its guardian, by an upgrade, or within `sup supervise`.
import { hearEarly } from '../../os/early-signals.ts';
import { keepDebuggerClosed } from '../../os/no-debugger.ts';
import { NURSERY } from './node-words.ts';
import { fingerprintOf } from './own-files.ts';
import { runProgram } from './run-program.ts';

keepDebuggerClosed(process);
// A trial is ended by whoever tries it.
if (!process.argv.includes('--trial')) hearEarly(process, process.argv);
// V8 takes a cache only under the options that it was made under. For the nursery of one that was started without it
// is too late; that it is asked for is enough for the cache.
if (!process.execArgv.includes(NURSERY)) process.getBuiltinModule('node:v8').setFlagsFromString(NURSERY);
const script = import.meta.filename;
// Before the text is read: one that replaces it in between is told from it.
runProgram(script, fingerprintOf(script));
