// The supervisor's program, as it is started: by its guardian, by an upgrade, or within `sup supervise`.
import { hearEarly } from '../../os/early-signals.ts';
import { keepDebuggerClosed } from '../../os/no-debugger.ts';
import { fingerprintOf } from './own-files.ts';
import { runProgram } from './run-program.ts';

keepDebuggerClosed(process);
// A trial is ended by whoever tries it.
if (!process.argv.includes('--trial')) hearEarly(process, process.argv);
const script = import.meta.filename;
// Before the text is read: one that replaces it in between is told from it.
runProgram(script, fingerprintOf(script));
